#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the locate examples with plain clang and sees that each ends as examples.json says.

Bad inputs crash as said (or are silent), at -O0 and -O2, and three times in a row; good inputs end with
0 and AddressSanitizer has nothing to say about them. That is what makes an example one.

Exit codes: 0 all as said; 1 something is not; 2 wrong use.
"""

import argparse
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import example as examples

CLANG = {"C": ("clang-19",), "C++": ("clang++-19",)}
LEVELS = ("-O0", "-O2")
REPEATS = 3  # the system moves stack and heap about


def build(entry, level, folder, more=()):
    """Plain clang."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / entry["name"]
    subprocess.run([*examples.compile_words(entry, CLANG, level, program), *more], check=True)
    return program


def wrong(entry, work):
    """What is not as said."""
    examples.answer(entry)
    for level in LEVELS:
        program = build(entry, level, work / level.strip("-"))
        for number, how in enumerate(entry["bad"]):
            wanted = how.get("optimised", entry["crash"]) if level == "-O2" else entry["crash"]
            times, limit = (1, 5) if wanted == "endless" else (REPEATS, examples.LIMIT)
            seen = {examples.ending(examples.run([program], how, limit=limit)[0]) for _ in range(times)}
            if seen != {wanted}:
                yield f"{level}: bad input {number} ends with {', '.join(sorted(seen))}, not {wanted}"
        for number, how in enumerate(entry["good"]):
            code, said = examples.run([program], how)
            if code:
                yield f"{level}: good input {number} ends with {examples.ending(code)}: {said[-300:]}"
    program = build(examples.linked_dynamically(entry), "-O1", work / "asan", ("-fsanitize=address,bounds", "-fno-common"))
    for number, how in enumerate(entry["good"]):
        code, said = examples.run([program], how, {"ASAN_OPTIONS": "detect_leaks=0"})
        if code or "ERROR" in said or "runtime error" in said:
            yield f"good input {number} is not good:\n{said[-1500:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="examples (default: all)")
    parser.add_argument("--work", type=Path, default=examples.ROOT / "build" / "locate" / "native")
    arguments = parser.parse_args()
    known = examples.manifest()
    unknown = [name for name in arguments.names if name not in known]
    if unknown:
        print(f"native.py: error: there is no {unknown[0]}", file=sys.stderr)
        return 2
    failed = 0
    for name in arguments.names or known:
        problems = list(wrong(known[name], arguments.work / name))
        failed += bool(problems)
        for problem in problems:
            print(f"{name}: {problem}", flush=True)
    print(f"{len(arguments.names or known) - failed} of {len(arguments.names or known)} as said")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
