#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Silent corruption is exposed by another order of variables; a healthy program is accused in none.

A program with a line marked as the first corruption (example.py) must end as if nothing had happened when it is
run plainly, and must be located at that line. One without a
mark must be found to be without corruption, and all its orders must have been tried.

Exit codes: 0 all as expected; 1 something is not.
"""

import argparse
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import example as examples
import locating


def build(source, culprit, level, work):
    """With culprit's drivers."""
    driver = ["c++", "-std=c++20"] if source.suffix == ".cpp" else ["cc"]
    subprocess.run([str(culprit), *driver, level, "-g", str(source), "-o", str(work / source.stem)], check=True,
                   env=locating.environment(work))
    return work / source.stem


def problems_of(source, culprit, level, work):
    """What is not as it should be."""
    work.mkdir(parents=True, exist_ok=True)
    program = build(source, culprit, level, work)
    plain = subprocess.run([program], stdout=subprocess.DEVNULL, check=False).returncode
    problems = [] if plain == 0 else [f"the plain run ends with {plain}"]
    located = locating.locate(culprit, program, {}, work)
    orders = located.document.get("orders") or 0
    print(f"{source.name} {level}: {located.document.get('outcome')}, {located.executions} executions, {orders} "
          f"orders, {located.seconds:.1f} s")
    if "// culprit: first corruption" not in source.read_text():
        problems += locating.judged_good(located, source.name)
        return problems + ([] if orders else ["no order of variables was tried"])
    problems += locating.judged(located, examples.answer_in([source]), None, source.name)[1]
    if not any(step.get("layout") for step in located.document.get("chain") or []):
        problems.append("no step names the order of variables it was made in")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("--culprit", type=Path, default=examples.ROOT / "build" / "release" / "bin" / "culprit")
    parser.add_argument("--level", default="-O2")
    parser.add_argument("--work", type=Path, default=Path("work"))
    arguments = parser.parse_args()
    wrong = 0
    for source in arguments.sources:
        for problem in problems_of(source.resolve(), arguments.culprit.resolve(), arguments.level,
                                   arguments.work.resolve() / source.stem):
            print(f"  {problem}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
