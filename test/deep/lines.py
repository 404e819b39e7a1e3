#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lines.py TOOL WORK: the Valgrind tool reads no line numbers (valgrind/lines.cpp).

The linker puts a function of the tool in the place of the core's, by name. With a Valgrind that calls it otherwise nothing
would be replaced, nobody would notice, and every start would take half as long again. So the core is asked to print the lines
that it reads: Valgrind itself prints some of a program with debug information, and the tool none.

Exit codes: 0 as expected; 1 the tool reads lines, or Valgrind does not say what it reads.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARK = "Prologue Length" # of every file's table of lines


def main():
    tool, work = (Path(word).resolve() for word in sys.argv[1:3])
    work.mkdir(parents=True, exist_ok=True)
    program, run_file = work / "program", work / "run"
    run_file.unlink(missing_ok=True)
    subprocess.run(["gcc", "-g", ROOT / "test" / "deep" / "programs" / "locals.c", "-o", program], check=True)

    def says_lines(command, **environment):
        done = subprocess.run([*command, "--vgdb=no", "--debug-dump=line", program], env={**os.environ, **environment},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        if done.returncode != 0:
            sys.exit(f"{command[0]} ends with {done.returncode}\n{done.stderr}")
        return MARK in done.stdout + done.stderr

    if not says_lines(["valgrind", "--tool=none"]):
        sys.exit("Valgrind does not print the lines that it reads: this test needs another sign")
    if says_lines([tool, "--tool=culprit", f"--run-file={run_file}"], VALGRIND_LIB=str(tool.parent),
                  VALGRIND_LAUNCHER=str(tool)):
        sys.exit("the tool reads line numbers: valgrind/lines.cpp replaces nothing in this Valgrind")
    return 0


if __name__ == "__main__":
    sys.exit(main())
