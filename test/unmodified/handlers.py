#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signal handlers that allocate, in a program that has the runtime preloaded: handlers.c, built by gcc.

By itself, with threads, fork, dlopen, an alternate stack and all of them; for each way to know what was written, as whoever
calls this and, if that is root, as an ordinary user, too. The program finds blocks that were handed out twice; no vertex may
differ from a full scan where one thread ran. With the C library's malloc the program is undefined and mostly dies: nothing to
compare with.

Exit codes: 0 as expected; 1 not; 2 wrong use.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import verify
import run_file

LIMIT = 120  # seconds: a handler that waits for the code it interrupted waits for ever
ALL = ("", "t", "f", "d", "a", "tfda")


def build(folder):
    """The program, as gcc makes it."""
    program = folder / "handlers"
    subprocess.run(["gcc", "-O2", "-pthread", "-o", program, Path(__file__).with_suffix(".c")], check=True)
    return program


def examine(program, letters, library, user, way, folder):
    """What is wrong with one run."""
    settings = f"run={folder}/run:verify=1:written_pages={verify.WAYS[way]}"
    words = ["env", f"LD_PRELOAD={library}", f"CULPRIT_RUNTIME={settings}", str(program), letters]
    try:
        done = subprocess.run(verify.as_user(words, user), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return ["does not end"], 0, 0
    problems = []
    if (done.returncode, done.stdout) != (0, b"ok\n"):
        problems.append(f"exit code {done.returncode}: {done.stdout[-300:]!r}")
    points = mismatches = 0
    for path in sorted(folder.iterdir()):
        for point in run_file.read(path).verified:
            if point.threads == 1:
                points += 1
                mismatches += point.mismatches
    if points < 20 or mismatches:
        problems.append(f"{mismatches} mismatches in {points} metric points")
    return problems, points, mismatches


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, required=True, help="libculprit_unmodified.so")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("letters", nargs="*", help=f"parts (default: {' '.join(repr(part) for part in ALL)})")
    arguments = parser.parse_args()
    users = {"root": 0, "nobody": verify.NOBODY} if os.geteuid() == 0 else {"user": os.geteuid()}
    wrong = runs = 0
    with tempfile.TemporaryDirectory() as made:
        program = build(Path(made))
        library = verify.reachable(arguments.library, Path(made))
        for letters in (arguments.letters or ALL) * arguments.repeat:
            for who, user in users.items():
                for way in verify.WAYS:
                    folder = Path(made) / "runs"
                    folder.mkdir()
                    shutil.chown(folder, user=user)
                    problems, points, mismatches = examine(program, letters, library, user, way, folder)
                    shutil.rmtree(folder)
                    runs += 1
                    wrong += len(problems)
                    print(f"'{letters}' as {who}, {way}: {points} points, {mismatches} mismatches", flush=True)
                    for problem in problems:
                        print(f"  {problem}", flush=True)
    print(f"{runs} runs, {wrong} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
