#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says what AddressSanitizer and memcheck report on the bad inputs of the locate examples.

Each example is built at -O0 with each tool's own flags. The first report counts: *the line* if its first
frame in the example's sources is a line marked as right, *named* if a right line stands further down in
it, *elsewhere* if not at all, *crash* if there is no report but a signal, *does not end* if it was given
up. Results go into the table of docs/locate-examples.md by --table.

Exit codes: 0 measured; 1 an example does not build; 77 skipped (no valgrind).
"""

import re
import subprocess
import sys

sys.dont_write_bytecode = True

import example as examples
import page  # also makes test/heap's modules importable

import peers

TOOLS = ("asan", "memcheck")
START = re.compile(r"==\d+==\s*ERROR: AddressSanitizer: (?:attempting )?([\w-]+)|"
                   r"== ((?:Invalid|Jump|Use of|Conditional|Syscall|Mismatched|Process terminat|Source and)"
                   r"[\w() /'-]*)")
FRAME = re.compile(r"\(?([\w.+-]+\.(?:c|cpp|h)):(\d+)")


def first_report(lines):
    """The lines of a tool's first report: memcheck's end with an empty line, AddressSanitizer's at the end."""
    taken = []
    for line in lines:
        if not taken and not START.search(line):
            continue
        if taken and (re.search(r"==\d+==\s*$", line) or "SUMMARY:" in line or "Shadow bytes" in line):
            break
        taken.append(line)
    return taken


def verdict(text, code, answer, files):
    """In a few words what the tool saw."""
    report = first_report(text.splitlines())
    if not report and code == examples.ENDLESS:
        return "does not end"
    if not report:
        return "nothing" if code == 0 else f"crash, {examples.ending(code)}"
    match = START.search(report[0])
    kind = match.group(1) or match.group(2).strip()
    places = [examples.Place(file, int(line)) for line_of in report for file, line in FRAME.findall(line_of)
              if file in files]
    if places and places[0] in answer.right:
        return f"the line: {kind}"
    return ("named: " if any(place in answer.right for place in places) else "elsewhere: ") + kind


def say(name, entry, work):
    """Every tool's verdicts on every bad input."""
    answer = examples.answer(entry)
    files = {path.name for path in entry["folder"].iterdir()}
    # Slow tools have time; but what does not end ends with none of them.
    limit = examples.LIMIT / 4 if entry["crash"] == "endless" else 300
    result = {}
    for chosen in TOOLS:
        folder = work / name / chosen
        folder.mkdir(parents=True, exist_ok=True)
        program = folder / name
        subprocess.run([*examples.compile_words(examples.linked_dynamically(entry), peers.CLANG, "-O0", program),
                        *peers.TOOLS[chosen]["flags"]], check=True)
        before = [word for word in peers.TOOLS[chosen]["before"] if "leak-check" not in word]
        result[chosen] = []
        for how in entry["bad"]:
            code, text = examples.run([*before, program], how, peers.TOOLS[chosen]["environment"], limit)
            result[chosen].append(verdict(text, code, answer, files))
    return result


def main():
    return peers.compare_examples(__doc__.split("\n", 1)[0], examples.ROOT / "build" / "locate" / "tools",
                                  examples.manifest(), say, page.update)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        print(f"other_tools.py: error: {error}", file=sys.stderr)
        sys.exit(1)
