#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The heap graph of Debian's binaries as they are: compared with a full scan at every metric point.

Each program runs plain, for its output; then with the runtime preloaded, once for each way to know what was written
(PAGEMAP_SCAN, soft-dirty bits, nobody), as whoever calls this and, if that is root, as an ordinary user, too. Output must be
equal and no vertex may differ. As a control some of the written pages are forgotten on purpose: that has to show. --table
writes docs/unmodified-verify.md.

Exit codes: 0 as expected; 1 not; 2 wrong use.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "heap"))

import run_file

LIMIT = 600  # seconds, for one run
NOBODY = 65534
WAYS = {"PAGEMAP_SCAN": 0, "soft-dirty bits": 1, "every block read": 2}
SCANNED, SOFT_DIRTY = 2, 4  # abi/run_file.h
PLANTED = "control"

PROGRAMS = {
    "gawk": ("gawk", 'BEGIN { for (r = 0; r < 4; r++) { for (i = 0; i < 20000; i++) a[i % 7000 + r] = a[i % 977] "x" substr(i, 1, 2);'
                     " for (i = 0; i < 3000; i++) delete a[i * 2] } n = 0; for (k in a) n += length(a[k]); print n }"),
    "perl": ("perl", "-e", "my %h; for my $r (1..4) { $h{$_} = [$_, {a => $_}] for 1..9000; delete $h{$_ * 3} for 1..2500; }"
                           " print scalar(keys %h), qq(\\n);"),
    "python3": ("/usr/bin/python3", "-c",
                "import json\nd = [{'a': i, 'b': [i] * 3} for i in range(9000)]\nfor r in range(3):\n"
                "  e = json.loads(json.dumps(d)); d = e[::2] + d[:5000]\nprint(len(json.dumps(d)))"),
    "sqlite3": ("sqlite3", ":memory:",
                "create table t(a integer primary key, b, c); with recursive n(i) as (select 1 union all select i + 1 from n where "
                "i < 20000) insert into t select i, (i * 7919) % 10007, 'text ' || i from n; create index x on t(b); delete from t "
                "where a % 3 = 0; select count(*), max(b), sum(length(c)) from t; select b, count(*) from t group by b order by 2 desc limit 3;"),
    "lua5.4": ("lua5.4", "-e", "local t = {} for r = 1, 4 do for i = 1, 9000 do t[i] = {i, tostring(i), next = t[i - 1]} end "
                               "for i = 1, 9000, 3 do t[i] = nil end collectgarbage() end local n = 0 for _ in pairs(t) do n = n + 1 end print(n)"),
    "clang-format": ("clang-format-19", str(ROOT / "engine" / "heap" / "blame.cpp")),
}


@dataclass
class Seen:
    """Of one program in one way."""

    points: int = 0
    vertexes: int = 0
    mismatches: int = 0
    flags: int = 0
    problems: list = field(default_factory=list)


def environment(**more):
    """Hashes are not to depend on chance, and python is to have its blocks from malloc."""
    return {**os.environ, "PYTHONHASHSEED": "0", "PYTHONMALLOC": "malloc", "PERL_HASH_SEED": "0", "LC_ALL": "C", **more}


def as_user(words, user):
    """The words, run by root or by nobody."""
    if user == os.geteuid():
        return list(words)
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--", *words]


def executed(words, user, **more):
    """Exit status and output."""
    done = subprocess.run(as_user(words, user), env=environment(**more), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=LIMIT, check=False)
    return done.returncode, done.stdout


def reachable(path, folder):
    """A copy that an ordinary user can read, too, wherever this tree lies."""
    folder.chmod(0o755)
    copy = Path(shutil.copy(path, folder))
    copy.chmod(0o755)
    return copy


def examine(words, library, user, way, planted, folder):
    """One run with the runtime preloaded, beside a plain one."""
    seen = Seen()
    plain = executed(words, user)
    # `env` sets the variable for the program alone: setpriv is not to be watched.
    settings = f"run={folder}/run:verify={2 if planted else 1}:written_pages={WAYS[way]}"
    ours = executed(["env", f"LD_PRELOAD={library}", f"CULPRIT_RUNTIME={settings}", *words], user)
    if ours != plain:
        seen.problems.append(f"other output or exit code ({ours[0]}, not {plain[0]}): {ours[1][-300:]!r}")
    for path in sorted(folder.iterdir()):
        run = run_file.read(path)
        if len(run.verified) != run.points:
            seen.problems.append(f"{len(run.verified)} of {run.points} metric points compared")
        seen.flags |= run.flags
        for point in run.verified:
            if point.threads > 1:
                continue
            seen.points += 1
            seen.vertexes += point.vertexes
            seen.mismatches += point.mismatches
    if not seen.points:
        seen.problems.append("no metric point")
    if bool(seen.mismatches) != planted and (seen.flags & (SCANNED | SOFT_DIRTY) or not planted):
        seen.problems.append(f"{seen.mismatches} mismatches in {seen.points} points")
    return seen


def page(rows):
    """The table, as Markdown."""
    lines = ["# The heap graph of unmodified binaries", "",
             "Made by `test/unmodified/verify.py --table`: Debian's binaries with the runtime preloaded, the graph compared with a",
             "full scan at every metric point; the output is that of the plain program each time. *Known from*: who told what was",
             "written (a kernel without soft-dirty bits has every block read instead). *Control*: some of the written pages are",
             "forgotten on purpose, which has to show.", "",
             "| program | as | asked of | known from | metric points | vertexes compared | mismatches |", "|---|---|---|---|---:|---:|---:|"]
    for name, who, way, seen in rows:
        known = "PAGEMAP_SCAN" if seen.flags & SCANNED else "soft-dirty bits" if seen.flags & SOFT_DIRTY else "every block read"
        lines.append(f"| {name} | {who} | {way} | {known} | {seen.points:,} | {seen.vertexes:,} | {seen.mismatches:,} |")
    return "\n".join(lines) + "\n"


def examine_all(names, library, users):
    """Rows of the table, and how many problems there are."""
    rows, wrong = [], 0
    for name, words in PROGRAMS.items():
        if names and name not in names:
            continue
        if not shutil.which(words[0]):
            print(f"{name}: not installed")
            continue
        for who, user in users.items():
            for way in (*WAYS, PLANTED):
                with tempfile.TemporaryDirectory() as made:
                    folder = Path(made)
                    shutil.chown(folder, user=user)
                    seen = examine(words, library, user, "PAGEMAP_SCAN" if way == PLANTED else way, way == PLANTED, folder)
                rows.append((name, who, way, seen))
                print(f"{name} as {who}, {way}: {seen.points} points, {seen.vertexes} vertexes, {seen.mismatches} mismatches", flush=True)
                for problem in seen.problems:
                    wrong += 1
                    print(f"  {problem}", flush=True)
    return rows, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, required=True, help="libculprit_unmodified.so")
    parser.add_argument("--table", type=Path, help="folder to write unmodified-verify.md to")
    parser.add_argument("names", nargs="*", help=f"programs (default: all): {', '.join(PROGRAMS)}")
    arguments = parser.parse_args()
    users = {"root": 0, "nobody": NOBODY} if os.geteuid() == 0 else {"user": os.geteuid()}
    with tempfile.TemporaryDirectory() as shared:
        rows, wrong = examine_all(arguments.names, reachable(arguments.library, Path(shared)), users)
    if arguments.table:
        (arguments.table / "unmodified-verify.md").write_text(page(rows))
    print(f"{len(rows)} runs, {wrong} problems")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
