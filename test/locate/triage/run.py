#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has `culprit triage` group 300 crashing inputs of depot.c, which has six errors: six groups, no more.

First every input is seen to crash the plain build. Each group must have one error's marked line as its
first corruption and all inputs with that error. With --frames, the grouping of the same inputs by the top three
frames of their stacks is printed beside it; --table writes both into a page.

Exit codes: 0 exactly six right groups; 1 not; 2 wrong use.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent

import frames
import generate

SOURCE = HERE / "depot.c"
MARK = re.compile(r"// culprit: first corruption, (\w+)$")


def answers():
    """{error: line} from the marks in depot.c."""
    found = {}
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        if match := MARK.search(line):
            found[match.group(1)] = number
    if set(found) != set(generate.BUGS):
        raise ValueError("depot.c and generate.py have different errors")
    return found


def build(words, level, program):
    """With any compiler."""
    program.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([*map(str, words), level, "-g", "-Wall", "-Wextra", "-Werror", str(SOURCE), "-o",
                    str(program)], check=True)
    return program


def not_crashing(program, inputs):
    """Inputs that the plain program survives."""
    return [path.name for path in inputs
            if subprocess.run([program, path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=60, check=False).returncode >= 0]


def names_of(group):
    """The inputs of a group, without their folders."""
    return [Path(entry if isinstance(entry, str) else entry.get("input") or entry["path"]).name
            for entry in group["inputs"]]


def error_counts(names, truth):
    """"null 48": the errors that some inputs have, and how often."""
    which = Counter(truth.get(name, "?") for name in names)
    return ", ".join(f"{bug} {number}" for bug, number in which.most_common())


def page(document, by_frames, truth):
    """The two groupings, for docs/."""
    groups = document["groups"]
    lines = ["# 300 crashes, grouped", "Made by `test/locate/triage/run.py --frames --table`; do not edit.", "",
             f"`test/locate/triage/depot.c` has six errors, and {len(truth)} inputs reach one each. *Errors in it* is what "
             "is really in a group, which neither grouping knows.", "",
             f"By first corruption (`culprit triage`): {len(groups)} groups, {len(document['unresolved'])} inputs unresolved.",
             "", "| group | first corruption | kind | inputs | crash places | errors in it |", "|---|---|---|---|---|---|"]
    for group in groups:
        place = group["first_corruption"][0]
        kinds = ", ".join(error["error"] for error in group["errors"])
        lines.append(f"| {group['id']} | depot.c:{place['line']} in {place['function']} | {kinds} | {len(group['inputs'])} | "
                     f"{len(group['crashes'])} | {error_counts(names_of(group), truth)} |")
    spread = Counter(bug for names in by_frames.values() for bug in {truth[name] for name in names})
    mixed = sum(len({truth[name] for name in names}) > 1 for names in by_frames.values())
    lines += ["", f"By the top {frames.TOP} frames of the stack (gdb, frames of the C library left out): {len(by_frames)} groups; "
              + ", ".join(f"{bug} is in {number}" for bug, number in sorted(spread.items()))
              + f"; {mixed} have more than one error in them.", "", "| frames | inputs | errors in it |", "|---|---|---|"]
    for stack, names in sorted(by_frames.items(), key=lambda item: (-len(item[1]), item[0])):
        shown = " ← ".join(f"{function}:{line}" for function, line in stack) or "no stack"
        lines.append(f"| {shown} | {len(names)} | {error_counts(names, truth)} |")
    return "\n".join(lines) + "\n"


def problems(document, truth):
    """What is not as it should be in triage's JSON; prints the groups."""
    lines = answers()
    seen = Counter()
    for group in document.get("groups", []):
        place = group["first_corruption"]
        place = (place[0] if isinstance(place, list) else place) or {}
        names = names_of(group)
        which = Counter(truth.get(name, "?") for name in names)
        print(f"{len(names):4} {Path(place.get('file') or '?').name}:{place.get('line')}   "
              f"({', '.join(f'{bug} {number}' for bug, number in which.items())})")
        bug = which.most_common(1)[0][0] if which else "?"
        seen[bug] += 1
        if len(which) != 1:
            yield f"a group of {len(names)} has {len(which)} errors in it"
        if place.get("line") != lines.get(bug):
            yield f"{bug} is located in line {place.get('line')}, right is {lines.get(bug)}"
    unresolved = document.get("unresolved") or []
    print(f"{sum(seen.values())} groups by the first corruption, {len(unresolved)} inputs unresolved")
    if unresolved:
        yield f"{len(unresolved)} inputs are unresolved"
    for bug in generate.BUGS:
        if seen[bug] != 1:
            yield f"{bug} makes {seen[bug]} groups"
    if sum(len(group["inputs"]) for group in document.get("groups", [])) + len(unresolved) != len(truth):
        yield "not every input is in a group"


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--culprit", type=Path, default=ROOT / "build" / "release" / "bin" / "culprit")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "locate" / "triage")
    parser.add_argument("--level", default="-O0", help="--level=-O2 for the optimised program")
    parser.add_argument("--jobs", type=int, default=2, help="culprit's own -j")
    parser.add_argument("--frames", action="store_true", help="group by stack frames as well (needs gdb)")
    parser.add_argument("--table", type=Path, help="write both groupings to this page (with --frames)")
    parser.add_argument("--native", action="store_true", help="see the inputs crash and stop there")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    work = arguments.work.resolve()
    crashes = generate.write(work)
    truth = frames.truth_of(crashes)
    inputs = sorted(crashes.iterdir())
    plain = build(["clang-19"], arguments.level, work / "plain" / "depot")
    alive = not_crashing(plain, inputs)
    print(f"{len(inputs) - len(alive)} of {len(inputs)} inputs crash the plain program at {arguments.level}")
    # At -O2 some overflows of the stack meet nothing that is used again: they corrupt without a crash.
    if alive and arguments.level == "-O0":
        print(f"run.py: error: no crash: {alive[0]}", file=sys.stderr)
        return 1
    by_frames = frames.group(plain, inputs) if arguments.frames else {}
    if arguments.frames:
        print("\n".join(frames.told(by_frames, truth)))
    if arguments.native:
        return 0
    if not arguments.culprit.exists():
        print(f"run.py: error: {arguments.culprit} does not exist; name another with --culprit", file=sys.stderr)
        return 2
    program = build([arguments.culprit.resolve(), "cc"], arguments.level, work / "culprit" / "depot")
    path = work / "triage.json"
    path.unlink(missing_ok=True)
    done = subprocess.run([str(arguments.culprit.resolve()), "triage", "-j", str(arguments.jobs), "--json",
                           str(path), "--inputs", str(crashes), "--", str(program), "@@"], cwd=work,
                          stdin=subprocess.DEVNULL, check=False)
    document = json.loads(path.read_text()) if path.exists() else None
    found = list(problems(document, truth)) if document else ["no JSON was written"]
    if document and arguments.table and arguments.frames:
        arguments.table.write_text(page(document, by_frames, truth))
    if done.returncode != 1:
        found.append(f"triage ended with exit code {done.returncode}, not 1")
    for problem in found:
        print(f"MISSED: {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
