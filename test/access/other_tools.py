#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says what AddressSanitizer, UBSan's bounds check and memcheck report on the examples' bad inputs.

Each example is built with each tool's own flags and run on every bad input. A report counts as
*seen* if it is about the guilty access: the guilty function is in its first stack, and the address is
one of a known object. A program that is broken by the bug and then falls over is a *crash later*.
Results go into the table of docs/access-examples.md by --table.

Exit codes: 0 measured; 1 an example does not build; 77 skipped (no valgrind).
"""

import re
import subprocess
import sys

import example as examples
import page

import peers

peers.TOOLS["bounds"] = {
    "title": "UBSan bounds", "flags": ("-fsanitize=bounds", "-fno-sanitize-recover=bounds"),
    "environment": {"UBSAN_OPTIONS": "print_stacktrace=1"}, "before": (),
}
TOOLS = ("asan", "bounds", "memcheck")
FIRST_REPORT = r"(==\d+==ERROR: AddressSanitizer|: runtime error: |== (?:Invalid|Jump|Use of|Conditional))"


def first_report(text):
    """The lines of a tool's first report: its stack, and what it says of the address."""
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if re.search(FIRST_REPORT, line)]
    taken = []
    for line in lines[starts[0]:] if starts else []:
        if re.search(r"^\s*$|==\s*$", line) and taken:
            break
        taken.append(line)
        if re.search(r"Address 0x|is located", line):
            break
    return taken


def verdict(text, code, guilt):
    """In a few words what the tool saw."""
    report = first_report(text)
    place = re.compile(rf"{re.escape(guilt.file)}:{guilt.line}\b|\b{guilt.function}\b")
    wild = any(word in line for line in report for word in ("SEGV", "not stack'd, malloc'd", "Jump to"))
    if not wild and any(place.search(line) for line in report):
        kind = re.search(r"AddressSanitizer: ([\w-]+)|runtime error: (index \S+ out of bounds)|"
                         r"(Invalid \w+)", report[0])
        return "seen: " + (next(group for group in kind.groups() if group) if kind else report[0])
    return "crash later" if report or code < 0 or code > 128 else "nothing"


def say(name, entry, work):
    """Every tool's verdicts on every bad input."""
    inputs = examples.write_inputs(name, work / name / "inputs")
    guilt = examples.guilt(entry)
    result = {}
    for chosen in TOOLS:
        program = peers.build(entry, chosen, work / name / chosen)
        result[chosen] = [verdict(*peers.run(program, chosen, path), guilt)
                          for path in sorted((inputs / "bad").glob("*.txt"))]
    return result


def main():
    return peers.compare_examples(__doc__.split("\n", 1)[0], examples.ROOT / "build" / "access" / "tools",
                                  examples.manifest(), say, page.update)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        print(f"other_tools.py: error: {error}", file=sys.stderr)
        sys.exit(1)
