#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Groups crashing inputs by the top three frames of their stacks, as crash deduplicators do, for comparison.

Usage: frames.py PROGRAM FOLDER; PROGRAM has debug information and takes an input's path. One gdb runs them
all. Frames of the C library are left out, else every abort would be the same crash; a frame counts by
function and line. With FOLDER/truth.json beside the inputs' folder, it also says how groups and errors meet.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

TOP = 3
FRAME = re.compile(r"^#\d+\s+(?:0x[0-9a-f]+ in )?(.+?) \(.*\) at (\S+):(\d+)$")
UNKNOWN = re.compile(r"^#0\s+(0x[0-9a-f]+) in \?\? \(\)")


def script(inputs):
    """What gdb shall do."""
    yield from ("set confirm off", "set pagination off", "set width 0", "set debuginfod enabled off",
                "set print frame-arguments none", "set print thread-events off")
    for path in inputs:
        yield f"echo \\n== {path.name}\\n"
        yield f"run '{path}' > /dev/null 2>&1"
        # What has no stack any more (a smashed one) must not end the script.
        yield "python\ntry:\n  gdb.execute('bt 24')\nexcept gdb.error as e:\n  print('no stack:', e)\nend"


def frames_of(text):
    """{input: its frames} from what gdb printed."""
    result, name = {}, None
    for line in text.splitlines():
        if line.startswith("== "):
            name = line[3:]
            result[name] = []
        elif name and (match := FRAME.match(line)):
            if "/" not in match.group(2) or not match.group(2).startswith(("./", "../")):
                result[name].append((match.group(1), int(match.group(3))))
        elif name and UNKNOWN.match(line):
            result[name].append(("??", 0))
    return result


def group(program, inputs):
    """{top frames: inputs}."""
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as commands:
        commands.write("\n".join(script(inputs)) + "\n")
        commands.flush()
        done = subprocess.run(["gdb", "-q", "-nx", "-batch", "-x", commands.name, str(program)], text=True,
                              errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
    groups = defaultdict(list)
    for name, frames in frames_of(done.stdout).items():
        groups[tuple(frames[:TOP])].append(name)
    return groups


def told(groups, truth):
    """Lines for the reader."""
    bugs = defaultdict(set)
    for frames, names in sorted(groups.items(), key=lambda item: -len(item[1])):
        which = Counter(truth.get(name, "?") for name in names)
        for bug in which:
            bugs[bug].add(frames)
        stack = " < ".join(f"{function}:{line}" for function, line in frames) or "no stack"
        yield f"{len(names):4} {stack}   ({', '.join(f'{bug} {number}' for bug, number in which.items())})"
    yield f"{len(groups)} groups by the top {TOP} frames; " + ", ".join(
        f"{bug} in {len(found)}" for bug, found in sorted(bugs.items()))


def truth_of(folder):
    """Which error each input has, if that is known."""
    path = folder.parent / "truth.json"
    return json.loads(path.read_text()) if path.exists() else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path, help="of the inputs")
    arguments = parser.parse_args()
    inputs = sorted(path.resolve() for path in arguments.folder.iterdir())
    for line in told(group(arguments.program, inputs), truth_of(arguments.folder.resolve())):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
