#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says what AddressSanitizer, LeakSanitizer and memcheck report on the examples' bad inputs.

Each example is built with each tool's own flags and run on the bad input, and on one good input as a
control: what a tool says about that as well says nothing about the bug. Results go into the table of
docs/heap-examples.md by --table.

Exit codes: 0 measured; 1 a program crashed or does not build; 77 skipped (no valgrind).
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import subject as subjects
import table

CLANG = {"C": ("clang-19",), "C++": ("clang++-19",)}

# Debug information of version 4: memcheck of Debian 12 reads no newer one.
TOOLS = {
    "asan": {
        "title": "AddressSanitizer",
        "flags": ("-fsanitize=address", "-fno-omit-frame-pointer", "-fno-common"),
        "environment": {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1"},
        "before": (),
    },
    "asan_leaks": {
        "title": "AddressSanitizer, leak check",
        "flags": ("-fsanitize=address", "-fno-omit-frame-pointer", "-fno-common"),
        "environment": {"ASAN_OPTIONS": "detect_leaks=1"},
        "before": (),
    },
    "lsan": {
        "title": "LeakSanitizer",
        "flags": ("-fsanitize=leak",),
        "environment": {},
        "before": (),
    },
    "memcheck": {
        "title": "memcheck",
        "flags": ("-gdwarf-4",),
        "environment": {},
        "before": ("valgrind", "-q", "--leak-check=full", "--error-exitcode=9"),
    },
}


def summary(text):
    """The tool's own words in short; empty if it has nothing to say."""
    found = []
    for pattern in (r"ERROR: AddressSanitizer: ([\w-]+)", r"SUMMARY: \w+: (\d+ byte\(s\) leaked)",
                    r"== (Invalid (?:read|write) of size \d+)", r"== (Use of uninitialised value)",
                    r"== [\d,]+ (?:\([^)]*\) )?bytes in [\d,]+ blocks are (definitely lost)"):
        match = re.search(pattern, text)
        if match:
            found.append(match.group(1))
    return ", ".join(found)


def build(entry, name, folder):
    """An example for one tool."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / entry["name"]
    words = subjects.compile_words(entry, CLANG, False, program)
    subprocess.run([*words, *TOOLS[name]["flags"]], check=True)
    return program


def run(program, name, path):
    """What the tool says about one input, and the program's exit code."""
    chosen = TOOLS[name]
    done = subprocess.run(
        [*chosen["before"], program, path], text=True, errors="replace",
        env={**os.environ, **chosen["environment"]}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
    )
    return done.stderr, done.returncode


def compare(entry, name, inputs, folder):
    """What one tool says about one example's bad input, less what it says about a good one."""
    program = build(entry, name, folder)
    said = {}
    for kind in ("bad", "train"):
        text, code = run(program, name, sorted((inputs / kind).iterdir())[0])
        said[kind] = summary(text)
        if code and not said[kind]:
            raise RuntimeError(f"{entry['name']} with {name}: exit code {code}, no report")
    return "" if said["bad"] == said["train"] else said["bad"]


def compare_examples(description, work, known, say, update):
    """The command of a comparison: say(name, entry, folder) for each example, told and kept."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*", metavar="NAME", help="examples (default: all)")
    parser.add_argument("--work", type=Path, default=work)
    parser.add_argument("--table", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return 77
    results = {}
    for name, entry in known.items():
        if arguments.names and name not in arguments.names:
            continue
        results[name] = say(name, entry, arguments.work)
        print(name, results[name], flush=True)
    if arguments.table:
        update(arguments.table, "tools", results)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="examples (default: all)")
    parser.add_argument("--work", type=Path, default=subjects.ROOT / "build" / "heap" / "peers")
    parser.add_argument("--table", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return 77
    entries = subjects.manifest()
    results = {}
    for name in arguments.names or entries:
        work = arguments.work / name
        inputs = subjects.write_inputs(name, work / "inputs")
        results[name] = {each: compare(entries[name], each, inputs, work / each) for each in TOOLS}
        print(name, {key: value or "nothing" for key, value in results[name].items()}, flush=True)
    if arguments.table:
        table.update(arguments.table, "peers", results)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RuntimeError, subprocess.CalledProcessError) as error:
        print(f"peers.py: error: {error}", file=sys.stderr)
        sys.exit(1)
