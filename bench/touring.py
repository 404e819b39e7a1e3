#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long `culprit demo` takes, as a new user waits: with no flavour made before, and again with all of them there.

bench/touring.py [--culprit PATH] [--repeat N] [--out FILE] prints the table and writes it to FILE. Asked: under a minute on two
cores, with nothing made before.
"""

import argparse
import datetime
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tour(culprit, folder, cache):
    start = time.monotonic()
    done = subprocess.run([culprit, "demo", "--dir", str(folder)], capture_output=True, text=True,
                          env={**os.environ, "XDG_CACHE_HOME": str(cache)})
    if done.returncode != 0:
        sys.exit(f"bench: the tour failed: {done.stderr}")
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--culprit", default=str(ROOT / "build/release/bin/culprit"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--out")
    options = parser.parse_args()
    if not os.access(options.culprit, os.X_OK):
        sys.exit("bench: culprit is not built")
    rows = {"nothing made before": [], "its flavours there": []}
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(options.repeat):
            for again, times in enumerate(rows.values()):
                times.append(tour(options.culprit, Path(scratch) / f"{number}.{again}", Path(scratch) / f"cache{number}"))
    table = ["# The tour", "", f"`culprit demo` from start to end, {options.repeat} times, {os.cpu_count()} cores, "
             f"{datetime.date.today()}. Asked: under 60 s with nothing made before. `bench/touring.py --out` makes this.", "",
             "| | least, s | most, s |", "|---|---:|---:|"]
    table += [f"| {what} | {min(times):.1f} | {max(times):.1f} |" for what, times in rows.items()]
    text = "\n".join(table) + "\n"
    print(text, end="")
    if options.out:
        Path(options.out).write_text(text)


if __name__ == "__main__":
    main()
