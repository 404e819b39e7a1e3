# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives culprit hundreds of damaged files and checks what the contract promises: the undamaged result, or exit
code 2 with one clear line; never a crash, a hang, a half-written file or the machine's memory.

usage: run.py CULPRIT WORK [--only GROUP] [--jobs N]

On failure the damaged file is kept in WORK/failed, and the command to run again is printed. The damage is the
same in every run: the generator's seed is fixed.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import queue
import random
import shutil
import stat
import subprocess
import sys

import damage
import trial

LIBRARY = "int twice(int x) { return 2 * x; }\n"
PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
int twice(int);
int thrice(int);
int main(void) {
  char *text = malloc(40);
  snprintf(text, 40, "%d %d", twice(21), thrice(14));
  puts(text);
  free(text);
  return 0;
}
"""
ASSEMBLER = """\
.globl thrice
thrice:
  lea (%rdi,%rdi,2), %eax
  ret
.section .note.GNU-stack,"",@progbits
"""
LISTS = """\
#include <stdlib.h>
struct node { struct node *next, *previous; long value; };
static struct node *head;
static void push(long value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->previous = NULL;
  node->next = head;
  if (head)
    head->previous = node;
  head = node;
}
static void drop(void) {
  struct node *node = head;
  head = node->next;
  if (head)
    head->previous = NULL;
  free(node);
}
int main(int argc, char **argv) {
  for (long i = 0; i < 300; ++i)
    push(i);
  for (long i = 0; i < 40000 + 1000 * argc + argv[1][0]; ++i) {
    push(i);
    drop();
  }
  return 0;
}
"""
CLANG = "clang-19"


class Suite:
    def __init__(self, culprit, work, jobs, every=1):
        self.every = every
        self.submitted = 0
        self.culprit = culprit
        self.work = work
        self.failures = []
        self.passed = 0
        self.counts = {}
        self.desks = queue.Queue()
        shutil.rmtree(work, ignore_errors=True)
        self.origin = work / "origin"
        self.origin.mkdir(parents=True)
        self.build()
        for number in range(jobs):
            self.desks.put(Desk(self, number))
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.pending = []

    def tool(self, *argv):
        subprocess.run(argv, cwd=self.origin, check=True, stdin=subprocess.DEVNULL)

    def build(self):
        """The undamaged files, with the program's shared object found through an absolute RUNPATH."""
        here = self.origin
        for name, text in (("twice.c", LIBRARY), ("main.c", PROGRAM), ("thrice.s", ASSEMBLER)):
            (here / name).write_text(text)
        cc = [self.culprit, "cc", "-O1"]
        self.tool(*cc, "-shared", "-fPIC", "-Wl,-soname,libtwice.so", "-o", "libtwice.so", "twice.c")
        self.tool(*cc, "-c", "main.c", "-o", "main.o")
        self.tool(self.culprit, "cc", "-c", "thrice.s", "-o", "thrice.o")
        self.tool(*cc, "-flto", "-c", "twice.c", "-o", "lto.o")
        self.tool(*cc, "-o", "prog", "main.o", "thrice.o", "-L.", "-ltwice", f"-Wl,-rpath,{here}")
        for archive, members in (("native.a", ["thrice.o"]), ("mixed.a", ["thrice.o", "main.o"])):
            self.tool(self.culprit.parent / "culprit-ar", "rcs", archive, *members)
        (here / "run").mkdir()
        (here / "elsewhere").mkdir()
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.work / "first-cache"))
        subprocess.run([self.culprit, "run", "-q", "--flavour", "base", "--run-file", here / "run" / "r.run",
                        "--", here / "prog"], cwd=here / "elsewhere", env=environment, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        (here / "lists.c").write_text(LISTS)
        (here / "cases").write_text("a\nb\nc\nd\n")
        self.tool(*cc, "-o", "lists", "lists.c")
        for words in (["train", "--cases", here / "cases", "-m", here / "lists.model", "--", here / "lists"],
                      ["check", "--save", here / "run" / "lists.run", "-m", here / "lists.model", "--",
                       here / "lists", "e"]):
            subprocess.run([self.culprit, *words], cwd=here / "elsewhere", env=environment, check=True,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def bytes_of(self, name):
        return (self.origin / name).read_bytes()

    def submit(self, group, name, attempt, *arguments):
        self.submitted += 1
        if self.submitted % self.every == 0:
            self.pending.append(self.pool.submit(self.attempt, group, name, attempt, arguments))

    def attempt(self, group, name, attempt, arguments):
        desk = self.desks.get()
        try:
            return group, name, attempt(desk, f"{group}-{name}", *arguments)
        finally:
            self.desks.put(desk)

    def finish(self):
        for future in self.pending:
            group, name, complaints = future.result()
            passed, failed = self.counts.get(group, (0, 0))
            if complaints:
                self.failures.append((group, name, complaints))
            self.counts[group] = (passed + (not complaints), failed + bool(complaints))
        for group, (passed, failed) in self.counts.items():
            print(f"{group:<24} {passed:>5} passed {failed:>5} failed")
        for group, name, complaints in self.failures:
            for complaint in complaints:
                print(f"\nFAILED {group} {name}: {complaint}")
        passed = sum(count[0] for count in self.counts.values())
        print(f"\n{passed} passed, {len(self.failures)} failed")
        return 1 if self.failures else 0


class Desk:
    """A place for one command at a time: a folder for the damaged file, a cache and a temporary folder."""

    def __init__(self, suite, number):
        self.suite = suite
        self.root = suite.work / f"desk{number}"
        self.folder = self.root / "files"
        self.cache = self.root / "cache"
        for name in ("files", "cache", "empty-cache", "tmp"):
            (self.root / name).mkdir(parents=True)
        self.environment = dict(os.environ, TMPDIR=str(self.root / "tmp"),
                                XDG_CACHE_HOME=str(self.cache), ASAN_OPTIONS="detect_leaks=0", LC_ALL="C")
        self.expected = {}

    def execute(self, argv, cached=True, timeout=60):
        environment = dict(self.environment)
        if not cached:  # `info` lists cached flavours, and the damaged file may have none
            environment["XDG_CACHE_HOME"] = str(self.root / "empty-cache")
        return trial.execute([str(part) for part in argv], self.folder, environment, timeout)

    def put(self, name, data):
        self.remove(name)
        path = self.folder / name
        path.write_bytes(data)
        path.chmod(0o755)
        return path

    def remove(self, name):
        path = self.folder / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def undamaged(self, argv, origin, name, cached=True):
        """What the command says about the undamaged file at the same place."""
        key = (tuple(argv), origin)
        if key not in self.expected:
            self.put(name, self.suite.bytes_of(origin))
            self.execute(argv, cached)  # once more below: the first run may make a flavour and say so
            self.expected[key] = self.execute(argv, cached)
            if self.expected[key].code != 0:
                sys.exit(f"the undamaged {origin} does not work: {self.expected[key]}")
        return self.expected[key]

    def complaint(self, label, argv, outcome, what):
        kept = self.suite.work / "failed" / label.replace("/", "_")[:100]
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(self.folder, kept, symlinks=True, ignore=lambda folder, names: [
            name for name in names if not (pathlib.Path(folder) / name).is_file()
            or (pathlib.Path(folder) / name).stat().st_size > 1 << 26])
        again = trial.command_text(argv, kept, self.environment, ["XDG_CACHE_HOME", "TMPDIR"])
        return f"{what}\n  {again}\n  code {outcome.code}\n  out {outcome.out[-600:]!r}\n" \
               f"  err {outcome.err[-1500:]!r}"

    def try_one(self, label, argv, expected, cached=True, may_differ=False, judge=trial.judge):
        before = trial.listing(self.root)
        outcome = self.execute(argv, cached)
        after = trial.listing(self.root)
        if outcome.code == 0:  # a finished flavour may stay in the cache
            before, after = ({name for name in names if "/flavours" not in name and
                              not name.endswith("cache/culprit")} for names in (before, after))
        else:
            before, after = ({name for name in names if not name.endswith(("/culprit", "/flavours"))}
                             for names in (before, after))
        wrong = trial.ill_manners(outcome, before, after) or judge(outcome, expected, may_differ)
        return outcome, self.complaint(label, argv, outcome, wrong) if wrong else None


def info(desk, label, origin, name, data):
    argv = [desk.suite.culprit, "info", "--json", "-", name]  # says more than the text
    expected = desk.undamaged(argv, origin, name, cached=False)
    desk.put(name, data)
    _, complaint = desk.try_one(label, argv, expected, cached=False)
    return [complaint] if complaint else []


def judge_run_file(outcome, expected, may_differ):
    """A torn run file is read up to the tear and noted."""
    note = outcome.err.splitlines()
    if outcome.code == 0 and len(note) == 1 and note[0].startswith("culprit: note: "):
        return None if "record " in note[0] else "a note that does not say where the tear is"
    return trial.judge(outcome, expected, may_differ)


def info_run_file(desk, label, origin, name, data):
    argv = [desk.suite.culprit, "info", "--json", "-", name]  # says more than the text
    expected = desk.undamaged(argv, origin, name, cached=False)
    desk.put(name, data)
    _, complaint = desk.try_one(label, argv, expected, cached=False, judge=judge_run_file)
    return [complaint] if complaint else []


def show_model(desk, label, data):
    argv = [desk.suite.culprit, "show", "--json", "l.model"]
    expected = desk.undamaged(argv, "lists.model", "l.model", cached=False)
    desk.put("l.model", data)
    _, complaint = desk.try_one(label, argv, expected, cached=False)
    return [complaint] if complaint else []


def check_saved(desk, label, data):
    """A saved run is judged up to its tear; what was judged without one is the same."""
    argv = [desk.suite.culprit, "check", "-q", "--run", "l.run", "-m", desk.suite.origin / "lists.model",
            "--", desk.suite.origin / "lists"]
    expected = desk.undamaged(argv, "run/lists.run", "l.run")
    desk.put("l.run", data)

    def judge(outcome, undamaged, may_differ):
        return None if outcome.code in (0, 1) else trial.judge(outcome, undamaged, may_differ)
    _, complaint = desk.try_one(label, argv, expected, may_differ=True, judge=judge)
    return [complaint] if complaint else []


def execute_flavour(desk, label, origin, name, data, may_differ=False, flavours=("identity", "base")):
    complaints = []
    for flavour in flavours:
        argv = [desk.suite.culprit, "run", "-q", "--flavour", flavour, "--", f"./{name}"]
        expected = desk.undamaged(argv, origin, name)
        desk.put(name, data)
        _, complaint = desk.try_one(f"{label}-{flavour}", argv, expected, may_differ=may_differ)
        complaints += [complaint] if complaint else []
    return complaints


def make_flavour(desk, label, origin, name, data, may_differ=False):
    argv = [desk.suite.culprit, "flavour", "-q", "identity", name]
    expected = desk.undamaged(argv, origin, name)
    good = pathlib.Path(expected.out.strip()).read_bytes()
    desk.put(name, data)
    # The path is the cache's; what counts is the flavour at its end.
    outcome, complaint = desk.try_one(label, argv, expected, may_differ=True)
    if not complaint and outcome.code == 0 and not may_differ:
        if pathlib.Path(outcome.out.strip()).read_bytes() != good:
            complaint = desk.complaint(label, argv, outcome, "another flavour than the undamaged file's")
    return [complaint] if complaint else []


def hostile(desk, label, data):
    """Frames with true checksums and false content: any answer, but a civil one."""
    argv = [desk.suite.culprit, "info", "prog"]
    desk.put("prog", data)
    _, complaint = desk.try_one(label + "-info", argv, None, cached=False, may_differ=True)
    complaints = [complaint] if complaint else []
    complaints += make_flavour(desk, label, "prog", "prog", data, may_differ=True)
    argv = [desk.suite.culprit, "flavour", "-q", "base", "prog"]
    _, complaint = desk.try_one(label + "-base", argv, None, may_differ=True)
    return complaints + ([complaint] if complaint else [])


def link(desk, label, name, data):
    """A build ends as with plain clang: same exit code, an output file or none."""
    outcomes = []
    for tool in ([CLANG], [str(desk.suite.culprit), "cc"]):
        desk.put("main.c", PROGRAM.encode() if not name.startswith("mixed") else b"int other;\n")
        desk.put(name, data)
        desk.remove("out")
        others = [desk.suite.origin / other for other in ("thrice.o", "libtwice.so")
                  if pathlib.Path(name).stem not in ("native", "mixed", *pathlib.Path(other).stem.split())]
        if name in ("native.a", "mixed.a"):
            others = [desk.suite.origin / "libtwice.so"]
        if name == "lto.o":
            others = [desk.suite.origin / "thrice.o", "-flto", "-fuse-ld=lld"]
        before = trial.listing(desk.root)
        argv = [*tool, "-fno-crash-diagnostics", "main.c", f"./{name}", *others, "-o", "out"]
        outcome = desk.execute(argv)
        made = (desk.folder / "out").exists()
        desk.remove("out")
        wrong = None
        if len(outcomes):
            wrong = trial.ill_manners(outcome, before, trial.listing(desk.root))
            if not wrong and outcome.code != outcomes[0].code:
                wrong = f"exit code {outcome.code}, clang's is {outcomes[0].code}"
            if not wrong and made != outcomes[0].made:
                wrong = "an output file where clang leaves none, or the other way round"
            if not wrong and "culprit: " in outcome.err:
                wrong = "culprit's own words in the linker's message"
        outcome.made = made
        outcomes.append(outcome)
    desk.remove("main.c")
    result = [desk.complaint(label, argv, outcome, wrong)] if wrong else []
    desk.remove(name)
    return result


def respond(desk, label, make):
    """Response files: as with plain clang."""
    outcomes = []
    for tool in ([CLANG], [str(desk.suite.culprit), "cc"]):
        desk.put("main.c", b"int main(void) { return 0; }\n")
        desk.remove("args")
        make(desk.folder / "args")
        before = trial.listing(desk.root)
        argv = [*tool, "main.c", "-o", "out", "@args"]
        outcome = desk.execute(argv)
        desk.remove("out")
        outcomes.append(outcome)
    wrong = trial.ill_manners(outcome, before, trial.listing(desk.root))
    if not wrong and outcomes[0].code != outcomes[1].code:
        wrong = f"exit code {outcomes[1].code}, clang's is {outcomes[0].code}: {outcomes[0].err[:300]}"
    result = [desk.complaint(label, argv, outcome, wrong)] if wrong else []
    desk.remove("args")
    desk.remove("main.c")
    return result


def cached(desk, label, harm):
    """A bad cache entry is made again; what comes out is the same flavour."""
    argv = [desk.suite.culprit, "flavour", "-q", "identity", "prog"]
    expected = desk.undamaged(argv, "prog", "prog")
    entry = pathlib.Path(expected.out.strip()).parent
    desk.put("prog", desk.suite.bytes_of("prog"))
    outcome = desk.execute(argv)
    good = (entry / "flavour").read_bytes()
    note = (entry / "entry.json").read_bytes()
    harm(entry)
    before = trial.listing(desk.root / "tmp")
    outcome = desk.execute(argv)
    wrong = trial.ill_manners(outcome, before, trial.listing(desk.root / "tmp"))
    if not wrong and (outcome.code, outcome.out, outcome.err) != (0, expected.out, expected.err):
        wrong = "the bad entry is not made again"
    if not wrong and (entry / "flavour").read_bytes() != good:
        wrong = "the flavour is not the one it was"
    if not wrong and (entry / "entry.json").read_bytes() != note:
        wrong = "the note is not the one it was"
    if not wrong and {path.name for path in entry.iterdir()} != {"flavour", "entry.json"}:
        wrong = "something else is left in the entry"
    limit = desk.cache / "culprit" / "limit"
    if limit.is_dir():
        limit.rmdir()
    limit.unlink(missing_ok=True)
    return [desk.complaint(label, argv, outcome, wrong)] if wrong else []


def foreign(desk, label, make, commands):
    complaints = []
    for words in commands:
        desk.remove("thing")
        make(desk.folder / "thing")
        argv = [desk.suite.culprit, *words, "./thing"]
        outcome, complaint = desk.try_one(f"{label}-{words[0]}", argv, None, may_differ=True)
        if not complaint and outcome.code != 2:
            complaint = desk.complaint(label, argv, outcome, "taken for a program")
        complaints += [complaint] if complaint else []
    desk.remove("thing")
    return complaints


def listed_cases(desk, label, data):
    desk.undamaged([desk.suite.culprit, "run", "-q", "--", "./prog"], "prog", "prog")  # makes the flavour
    desk.put("prog", desk.suite.bytes_of("prog"))
    desk.put("cases", data)
    argv = [desk.suite.culprit, "run", "-q", "--cases", "cases", "--", "./prog"]
    _, complaint = desk.try_one(label, argv, None, may_differ=True)
    desk.remove("cases")
    return [complaint] if complaint else []


# The groups. Each submits its trials; all randomness is used here, in one thread, in one order.

def executables(suite, rng):
    for origin, name, scale in (("prog", "prog", 1.0), ("libtwice.so", "libtwice.so", 0.4)):
        data = suite.bytes_of(origin)
        elf = damage.Elf(data)
        frames = elf.frame_offsets()
        start, end = elf.range_of(".llvmcmd")

        def count(number, scale=scale):
            return int(number * scale)
        headers = [(offset, offset + damage.HEADER.size) for offset in frames]
        for label, damaged in (
                *damage.truncations(data, [start, end, elf.shoff, *frames], count(45), rng),
                *damage.flips(data, [(0, 64)], count(90), rng, "header"),
                *damage.every_bit(data, 16, 20, "type"),
                *damage.flips(data, [elf.program_headers()], count(60), rng, "segments"),
                *damage.flips(data, [elf.section_headers()], count(80), rng, "sections"),
                *damage.flips(data, [elf.range_of(".shstrtab")], count(25), rng, "names"),
                *damage.flips(data, [elf.range_of(".dynamic")], count(60), rng, "dynamic"),
                *damage.flips(data, [elf.range_of(".dynstr")], count(40), rng, "strings"),
                *damage.flips(data, headers, count(60), rng, "frame"),
                *damage.flips(data, [(start, end)], count(60), rng, "payload"),
                *damage.flips(data, [(0, len(data))], count(30), rng, "anywhere"),
                *damage.several_flips(data, count(30), rng),
                *damage.overwrites(data, count(60), rng)):
            suite.submit(f"info {name}", label, info, origin, name, damaged)
        everywhere = [
            *damage.truncations(data, [start, end], count(20), rng),
            *damage.flips(data, [(0, 64), elf.section_headers(), *headers], count(24), rng, "headers"),
            *damage.flips(data, [(start, end)], count(30), rng, "payload"),
            *damage.flips(data, [(0, len(data))], count(10), rng, "anywhere"),
            *damage.overwrites(data, count(12), rng)]
        for label, damaged in everywhere:
            suite.submit(f"flavour {name}", label, make_flavour, origin, name, damaged)
            if name == "prog":
                suite.submit("run prog", label, execute_flavour, origin, name, damaged, False,
                             ("identity",))


def objects(suite, rng):
    data = suite.bytes_of("main.o")
    elf = damage.Elf(data)
    for label, damaged in (
            *damage.truncations(data, elf.range_of(".llvmcmd"), 25, rng),
            *damage.flips(data, [(0, 64), elf.section_headers(), elf.range_of(".llvmcmd")], 40, rng),
            *damage.several_flips(data, 10, rng)):
        suite.submit("info main.o", label, info, "main.o", "main.o", damaged)


def run_files(suite, rng):
    data = suite.bytes_of("run/r.run")
    used = int.from_bytes(data[40:48], "little")
    # Not damaged here: the count of lost records (offset 56), which nothing in the file repeats.
    for label, damaged in (
            *damage.truncations(data, [128, used], 50, rng),
            *damage.flips(data, [(0, 56), (64, 128)], 70, rng, "header"),
            *damage.flips(data, [(128, used)], 80, rng, "records"),
            *damage.flips(data, [(used, len(data))], 5, rng, "behind"),
            *[(f"zero{start}+{size}", data[:start] + bytes(size) + data[start + size:])
              for start, size in ((0, 8), (0, 128), (128, 16), (128, used - 128), (used - 8, 8), (136, 40))],
            *[(f"noise{start}", data[:start] + rng.randbytes(32) + data[start + 32:])
              for start in (0, 8, 40, 64, 128, 160, used - 32)],
            ("twice", data + data), ("empty-tail", data[:used]), ("records-twice", data[:used] + data[128:used]),
            ("only-header", data[:128])):
        suite.submit("info run file", label, info_run_file, "run/r.run", "r.run", damaged)


def models(suite, rng):
    data = suite.bytes_of("lists.model")
    for label, damaged in (
            *damage.truncations(data, [100, 4096], 30, rng),
            *damage.flips(data, [(0, 100)], 40, rng, "header"),
            *damage.flips(data, [(100, len(data))], 80, rng, "pages"),
            *damage.several_flips(data, 20, rng),
            *damage.overwrites(data, 30, rng),
            ("twice", data + data), ("noise", rng.randbytes(8192)), ("text", b"not a model\n" * 900)):
        suite.submit("show model", label, show_model, damaged)


def saved_runs(suite, rng):
    data = suite.bytes_of("run/lists.run")
    used = int.from_bytes(data[40:48], "little")
    for label, damaged in (
            *damage.truncations(data, [128, used], 25, rng),
            *damage.flips(data, [(0, 56), (64, 128)], 20, rng, "header"),
            *damage.flips(data, [(128, used)], 40, rng, "records")):
        suite.submit("check saved run", label, check_saved, damaged)


def hostile_frames(suite, rng):
    elf = damage.Elf(suite.bytes_of("prog"))
    frames = elf.frames()
    number = next(number for number, frame in enumerate(frames) if frame[1] == 3)
    for label, metadata in damage.hostile_records(json.loads(frames[number][4])):
        copy = [list(frame) for frame in frames]
        copy[number][4] = metadata
        suite.submit("hostile link record", label, hostile, elf.with_section(damage.section_of(copy)))
    for label, section in damage.hostile_sections(frames):
        suite.submit("hostile frames", label, hostile, elf.with_section(section))
    suite.submit("hostile frames", "as-they-were", make_flavour, "prog", "prog",
                 elf.with_section(damage.section_of(frames)))


def cache_entries(suite, rng):
    def harm_file(name, change):
        def harm(entry):
            path = entry / name
            data = path.read_bytes()
            mode = path.stat().st_mode
            path.unlink()
            change(path, data)
            if path.is_file():
                path.chmod(mode)
        return harm

    def rewrite(make):
        return lambda path, data: path.write_bytes(make(data))
    seeds = [rng.randrange(1 << 30) for _ in range(8)]
    for name in ("flavour", "entry.json"):
        ways = {
            "empty": rewrite(lambda data: b""),
            "gone": lambda path, data: None,
            "folder": lambda path, data: path.mkdir(),
            "cut": rewrite(lambda data: data[:len(data) // 2]),
            "cut-last": rewrite(lambda data: data[:-2]),
            "longer": rewrite(lambda data: data + b"x"),
            "zeros": rewrite(lambda data: bytes(len(data))),
            "dangling": lambda path, data: path.symlink_to("/no/such/file"),
            "fifo": lambda path, data: os.mkfifo(path),
        }
        for seed in seeds[:4]:
            def one_bit(data, seed=seed):
                bit = random.Random(seed).randrange(len(data) * 8)
                damaged = damage.flip(data, [bit])
                return damaged
            ways[f"flip{seed}"] = rewrite(one_bit)
        for label, change in ways.items():
            suite.submit("cache entry", f"{name}-{label}", cached, harm_file(name, change))
    for label, text in (("list", b"[]"), ("numbers", b'{"program":1,"flavour":2,"checksum":3}'),
                        ("no-checksum", b'{"program":"prog","flavour":"identity"}'), ("null", b"null"),
                        ("deep", b"[" * 100000), ("other", b'{"program":"x","flavour":"y","checksum":"0"}')):
        suite.submit("cache entry", f"note-{label}", cached,
                     harm_file("entry.json", rewrite(lambda data, text=text: text)))

    def as_file(entry):
        shutil.rmtree(entry)
        entry.write_bytes(b"not a folder")

    def not_executable(entry):
        (entry / "flavour").chmod(stat.S_IRUSR)

    def leftover(entry):
        (entry / "flavour").unlink()
        (entry / "flavour.partial").write_bytes(b"half")
    suite.submit("cache entry", "entry-is-a-file", cached, as_file)
    suite.submit("cache entry", "not-executable", cached, not_executable)
    suite.submit("cache entry", "leftover", cached, leftover)
    for label, text in (("noise", b"\xff\0x"), ("empty", b""), ("negative", b"-5\n"), ("zero", b"0\n"),
                        ("huge", b"9" * 40), ("words", b"12 monkeys\n"), ("folder", None)):
        def limit(entry, text=text):
            path = entry.parent.parent / "limit"
            if text is None:
                path.mkdir()
            else:
                path.write_bytes(text)
        suite.submit("cache limit", label, cached, limit)


def foreign_files(suite, rng):
    prog = suite.bytes_of("prog")

    def write(data, mode=0o755):
        def make(path):
            path.write_bytes(data)
            path.chmod(mode)
        return make

    def sparse(start, size):
        def make(path):
            path.write_bytes(start)
            os.truncate(path, size)
            path.chmod(0o755)
        return make

    def patched(offset, value):
        return write(prog[:offset] + value + prog[offset + len(value):])
    things = {
        "empty": write(b""), "text": write(b"hello\nworld\n"), "script": write(b"#!/bin/sh\necho hello\n"),
        "noise": write(rng.randbytes(5000)), "zeros": write(bytes(5000)), "gzip": write(b"\x1f\x8b\x08" + bytes(90)),
        "windows": write(b"MZ" + bytes(300)), "bitcode": write(b"BC\xc0\xde" + bytes(90)),
        "archive": write(suite.bytes_of("native.a")), "magic-only": write(b"\177ELF"),
        "frame-only": write(damage.write_frame(1, 1, 0, 0, b"{}", b"")),
        "run-magic-only": write(b"CULPRUN\n"),
        "elf32": patched(4, b"\1"), "big-endian": patched(5, b"\2"), "aarch64": patched(18, b"\xb7\0"),
        "core": patched(16, b"\4\0"), "no-type": patched(16, b"\0\0"),
        "folder": lambda path: path.mkdir(), "fifo": lambda path: os.mkfifo(path),
        "missing": lambda path: None, "dangling": lambda path: path.symlink_to("nowhere"),
        "itself": lambda path: path.symlink_to("thing"), "null": lambda path: path.symlink_to("/dev/null"),
        "endless": lambda path: path.symlink_to("/dev/zero"),
        "sparse": sparse(b"", 1 << 40), "sparse-elf": sparse(prog, 1 << 40),
        "sparse-run-file": sparse(suite.bytes_of("run/r.run")[:20], 1 << 40),
    }
    if os.geteuid() != 0:  # root reads everything
        things["unreadable"] = write(prog, 0)
    commands = (["info"], ["flavour", "-q", "identity"], ["run", "-q", "--"])
    for label, make in things.items():
        suite.submit("foreign file", label, foreign, make, commands)


def linker_inputs(suite, rng):
    for name, count in (("thrice.o", 30), ("native.a", 36), ("mixed.a", 12), ("libtwice.so", 24), ("lto.o", 10)):
        data = suite.bytes_of(name)
        for label, damaged in (
                *list(damage.truncations(data, [], count // 3, rng))[-count // 3:],
                *damage.flips(data, [(0, min(300, len(data)))], count // 3, rng, "start"),
                *damage.flips(data, [(0, len(data))], count // 6, rng, "anywhere"),
                *damage.flips(data, [(max(0, len(data) - 700), len(data))], count // 6, rng, "end"),
                *damage.overwrites(data, count // 6, rng)):
            suite.submit("link input", f"{name}-{label}", link, name, damaged)


def response_files(suite, rng):
    def write(data):
        return lambda path: path.write_bytes(data)
    texts = {
        "empty": b"", "good": b"-O1 -DX=1\n", "noise": rng.randbytes(400).replace(b"@", b"x"),
        "zeros": bytes(64), "itself": b"@args\n", "missing": b"@nothing\n", "quote": b"-O1 \"-DX=a\n",
        "single-quote": b"'-O1\n", "backslash": b"-O1 \\", "returns": b"-O1\r\n-DX\r\n",
        "utf16": "\ufeff-O1 -DX".encode("utf-16-le"), "bom": b"\xef\xbb\xbf-O1", "no-such": b"--no-such-option\n",
        "many": b" ".join(b"-DNAME%d=%d" % (number, number) for number in range(20000)),
        "long": b"-DX=" + b"x" * 120000, "ends-in-option": b"-Xclang", "linker": b"-Wl,--no-such-linker-option",
    }
    for label, data in texts.items():
        suite.submit("response file", label, respond, write(data))
    suite.submit("response file", "folder", respond, lambda path: path.mkdir())
    suite.submit("response file", "gone", respond, lambda path: None)


def cases_files(suite, rng):
    for label, data in (("empty", b""), ("noise", rng.randbytes(300)), ("zeros", bytes(100)), ("quote", b"'a\n"),
                        ("operators", b"a | b\n"), ("twice", b"< a < b\n"), ("missing", b"< nowhere\n"),
                        ("folder", b"< /\n"), ("comment", b"# nothing\n"), ("expansion", b"$HOME\n"),
                        ("zero-inside", b"a\0b\n"), ("long", b"x" * 3000000), ("good", b"a 'b c'\n")):
        suite.submit("cases file", label, listed_cases, data)


GROUPS = (executables, objects, run_files, models, saved_runs, hostile_frames, cache_entries, foreign_files, linker_inputs,
          response_files, cases_files)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("culprit", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("work", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--only", choices=[group.__name__ for group in GROUPS])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--every", type=int, default=1, help="only every so many-th input, for slow builds of culprit")
    options = parser.parse_args()
    suite = Suite(options.culprit, options.work, options.jobs, options.every)
    for group in GROUPS:
        if options.only in (None, group.__name__):
            group(suite, random.Random(group.__name__))
    code = suite.finish()
    if code == 0:
        shutil.rmtree(options.work)
    return code


if __name__ == "__main__":
    sys.exit(main())
