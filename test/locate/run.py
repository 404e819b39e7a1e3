#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Locates the first corruption in every program of examples/locate and compares with the marked line.

Each example is built with culprit, every bad input is located (the statement reported first is the marked one,
in no more executions than the paper needed for the kind), and every good input is found to be without
corruption. The silent ones, which crash only in another order of variables, are listed apart; how many
executions they take is shown and not judged. See example.py for the marks.

Exit codes: 0 all as expected; 1 something is not; 2 wrong use.
"""

import argparse
import json
import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True

import example as examples
import locating
import page


def build(entry, culprit, level, work):
    """With culprit's drivers."""
    program = work / entry["name"]
    compiler = {"C": (str(culprit), "cc"), "C++": (str(culprit), "c++")}
    done = subprocess.run(examples.compile_words(entry, compiler, level, program), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=locating.environment(work), check=False)
    if done.returncode:
        raise RuntimeError(f"does not build:\n{done.stdout}")
    return program


def examine(entry, level, arguments):
    """One example at one level: what the table shows, and what is not as it should be; never raises."""
    result = {"name": entry["name"], "level": level, "silent": examples.is_silent(entry), "bad": [],
              "problems": []}
    work = arguments.work.resolve() / level.strip("-") / entry["name"]
    work.mkdir(parents=True, exist_ok=True)
    try:
        answer = examples.answer(entry)
        program = build(entry, arguments.culprit, level, work)
        options = tuple(entry.get("options", ()))
        most = None if result["silent"] else entry["executions"]
        for number, how in enumerate(entry["bad"]):
            located = locating.locate(arguments.culprit, program, how, work, more=options)
            seen, problems = locating.judged(located, answer, most, f"bad input {number}")
            result["bad"].append(seen)
            result["problems"] += problems
            if entry.get("all"):
                located = locating.locate(arguments.culprit, program, how, work, more=(*options, "--all"))
                result["problems"] += locating.judged_all(located, answer, f"bad input {number}, --all")
        for number, how in enumerate(entry["good"]):
            located = locating.locate(arguments.culprit, program, how, work, more=options)
            result["problems"] += locating.judged_good(located, f"good input {number}")
    except Exception:
        result["problems"].append(traceback.format_exc())
    return result


def told(result):
    """The summary of one example."""
    lines = [f"{result['name']} {result['level']}: " + ("MISSED" if result["problems"] else "as expected")]
    for number, seen in enumerate(result["bad"]):
        lines.append(f"  bad input {number}: {seen['reported']}, right is {seen['first']}"
                     f" ({page.rank(seen)}), {seen['executions']} executions, {seen['seconds']} s")
    return "\n".join(lines + [f"  {problem}" for problem in result["problems"]])


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="examples (default: all)")
    parser.add_argument("--culprit", type=Path,
                        default=examples.ROOT / "build" / "release" / "bin" / "culprit")
    parser.add_argument("--work", type=Path, default=examples.ROOT / "build" / "locate" / "examples")
    parser.add_argument("--level", action="append", choices=("-O0", "-O2"), metavar="LEVEL",
                        help="--level=-O0, --level=-O2, or both (default: -O2)")
    parser.add_argument("--quick", action="store_true", help="the five that are tests")
    parser.add_argument("--no-silent", action="store_true", help="without the silent ones")
    parser.add_argument("--allow-silent", action="store_true", help="a silent one may be missed")
    parser.add_argument("--jobs", type=int, default=1, help="examples examined at the same time")
    parser.add_argument("--table", type=Path, metavar="FILE",
                        help="put the results into this markdown file and the .json beside it")
    return parser.parse_args()


def chosen(arguments, known):
    """The entries to examine."""
    entries = [known[name] for name in arguments.names] if arguments.names else list(known.values())
    if arguments.quick:
        entries = [entry for entry in entries if entry.get("quick")]
    if arguments.no_silent:
        entries = [entry for entry in entries if not examples.is_silent(entry)]
    return entries


def summary(results):
    """The last lines."""
    for silent in (False, True):
        some = [result for result in results if result["silent"] == silent]
        good = sum(1 for result in some if not result["problems"])
        if some:
            yield f"{'silent' if silent else 'crashing'}: {good} of {len(some)} as expected"


def main():
    arguments = parse_arguments()
    known = examples.manifest()
    unknown = [name for name in arguments.names if name not in known]
    if unknown or not arguments.culprit.exists():
        problem = (f"there is no {', '.join(unknown)}; there are: {', '.join(known)}" if unknown
                   else f"{arguments.culprit} does not exist; name another with --culprit")
        print(f"run.py: error: {problem}", file=sys.stderr)
        return 2
    arguments.culprit = arguments.culprit.resolve()
    # The silent ones last: they are another list.
    wanted = sorted(chosen(arguments, known), key=examples.is_silent)
    tasks = [(entry, level) for level in arguments.level or ["-O2"] for entry in wanted]
    results = []
    with ThreadPoolExecutor(max_workers=max(arguments.jobs, 1)) as pool:
        for result in pool.map(lambda task: examine(*task, arguments), tasks):
            print(told(result), flush=True)
            results.append(result)
    print("\n".join(summary(results)))
    if arguments.table:
        page.update(arguments.table, "examples",
                    {f"{result['name']} {result['level']}": page.kept(result) for result in results})
    arguments.work.mkdir(parents=True, exist_ok=True)
    (arguments.work / "results.json").write_text(json.dumps(results, indent=1))
    missed = [result for result in results
              if result["problems"] and not (result["silent"] and arguments.allow_silent)]
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
