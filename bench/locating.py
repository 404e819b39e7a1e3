#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long `culprit locate` takes on small examples whose flavours are made already, as a user waits.

bench/locating.py [--culprit PATH] [--repeat N] [EXAMPLE ...] prints one Markdown row for each: the
least time on the clock over the repetitions, and the exit code. Asked: under two seconds.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ["wrong_pointer", "global_loop", "heap_loop", "null_lookup", "double_free_twice"]


def build(culprit, row, folder):
    sources = [str(ROOT / "examples/locate" / row["name"] / file) for file in row["files"]]
    driver = "cc" if row["language"] == "C" else "c++"
    made = folder / row["name"]
    subprocess.run([culprit, driver, "-g", "-O2", *sources, "-o", str(made)], check=True)
    return made


def located(culprit, program, run, folder):
    start = time.monotonic()
    done = subprocess.run([culprit, "locate", "--", str(program), *run.get("arguments", [])], cwd=folder,
                          capture_output=True, text=True, input=run.get("stdin", ""))
    return time.monotonic() - start, done.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--culprit", default=str(ROOT / "build/release/bin/culprit"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("examples", nargs="*", default=EXAMPLES)
    options = parser.parse_args()
    if not os.access(options.culprit, os.X_OK):
        sys.exit("bench: culprit is not built")
    print("| example | seconds | exit code |\n|---|---:|---:|")
    rows = {row["name"]: row
            for row in json.loads((ROOT / "examples/locate/examples.json").read_text())["examples"]}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name in options.examples:
            program, run = build(options.culprit, rows[name], folder), rows[name]["bad"][0]
            located(options.culprit, program, run, folder)  # makes the flavours
            runs = [located(options.culprit, program, run, folder) for _ in range(options.repeat)]
            print(f"| {name} | {min(runs)[0]:.2f} | {runs[0][1]} |", flush=True)


if __name__ == "__main__":
    main()
