#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shortcuts.py TOOL WRITE_NAMES WORK [COMMAND]: the Valgrind tool with and without its shortcuts writes the same run file.

With shortcuts most accesses are dealt with by a few instructions of translated code; without, every one is looked up. All
records must be equal, counts and call stacks included, but for process ids and how often the long way was taken. Programs:
those of test/deep/programs and small runs of some benchmarks, without and with the names that debug information gives; or the
one command given. None of them overwrites a return address or the registers saved beside one, and none may be said to.

Exit codes: 0 equal; 1 something differs.
"""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START, EXIT, ACCESS, COUNTS, WATCH, VARIABLE = 1, 3, 14, 15, 17, 25  # abi/records.def
RETURN, SAVED = 1, 3  # abi/run_file.h, culprit_native_kind
BENCHMARKS = {"health": ("4", "30"), "bisort": ("8",)}


def records(path):
    """[(kind, payload)] but for what may differ; and how many calls the long way took."""
    data = path.read_bytes()
    (end,) = struct.unpack_from("<Q", data, 48)
    at, found, slow = 128, [], 0
    while at < end:
        size, kind, _, _, _ = struct.unpack_from("<IHHII", data, at)
        payload = data[at + 16:at + size]
        if kind == WATCH:
            (slow,) = struct.unpack_from("<Q", payload)
        elif kind != START:
            found.append((kind, payload))
        at += size
    return found, slow


def run(tool, shortcuts, command, path, names):
    """The records of one run, and its output."""
    path.unlink(missing_ok=True)
    environment = {**os.environ, "VALGRIND_LIB": str(tool.parent), "VALGRIND_LAUNCHER": str(tool),
                   "PERL_HASH_SEED": "0", "PYTHONHASHSEED": "0"}
    # Both words have as many letters: what is on the stack is where it was.
    done = subprocess.run([tool, "--tool=culprit", "-q", "--vgdb=no", "--counts=yes", f"--shortcuts={shortcuts}",
                           f"--run-file={path}", *names, *command], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{command} ends with {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return *records(path), done.stdout


def compare(name, tool, command, work, names=()):
    """None, or what differs."""
    fast, few, said = run(tool, "yes", command, work / f"{name}.yes.run", names)
    slow, all_of_them, said_slowly = run(tool, "no", command, work / f"{name}.no.run", names)
    if said != said_slowly:
        return f"{name}: the program's output differs"
    kinds = [kind for kind, _ in fast]
    if ACCESS not in kinds or COUNTS not in kinds or EXIT not in kinds:
        return f"{name}: the run file lacks pairs, counts or the exit"
    if few * 2 > all_of_them:
        return f"{name}: the shortcuts are not taken ({few} of {all_of_them} accesses are looked up)"
    for number, (one, other) in enumerate(zip(fast, slow)):
        if one != other:
            return f"{name}: record {number} differs: {one} {other}"
    if len(fast) != len(slow):
        return f"{name}: {len(fast)} records with shortcuts, {len(slow)} without"
    for kind, payload in fast:
        number, internal, address, size, length, what = struct.unpack_from("<IIQQII", payload) if kind == VARIABLE else (0,) * 6
        if what in (RETURN, SAVED): # told when it was written
            return f"{name}: the return address of {payload[32:32 + length].decode()} is said to be overwritten"
    print(f"{name}: {len(fast)} records alike, {few} of {all_of_them} accesses looked up")
    return None


def programs(work):
    """Name and command of what is compared."""
    for source in sorted((ROOT / "test" / "deep" / "programs").iterdir()):
        program = work / source.stem
        driver = ["g++", "-std=c++20"] if source.suffix == ".cpp" else ["gcc"]
        subprocess.run([*driver, "-O2", "-g", source, "-o", program, "-pthread"], check=True)
        yield source.stem, [program]
    for name, words in BENCHMARKS.items():
        program = work / name
        sources = sorted((ROOT / "bench" / "programs" / name).glob("*.c"))
        subprocess.run(["gcc", "-O2", "-g", *sources, "-o", program, "-lm"], check=True)
        yield name, [program, *words]


def main():
    tool, write_names, work = (Path(word).resolve() for word in sys.argv[1:4])
    work.mkdir(parents=True, exist_ok=True)
    chosen = [(Path(sys.argv[4]).name, sys.argv[4:])] if len(sys.argv) > 4 else programs(work)
    problems = []
    for name, command in chosen:
        names = work / f"{name}.names"
        names.unlink(missing_ok=True)
        subprocess.run([write_names, names, shutil.which(command[0])], check=True)
        problems.append(compare(name, tool, command, work))
        if names.exists():
            problems.append(compare(f"{name} with names", tool, command, work, [f"--names={names}"]))
    problems = [problem for problem in problems if problem]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
