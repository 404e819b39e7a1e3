#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long `culprit demo` takes, as a new user waits: with no flavour made before, and again with all of them there.

bench/touring.py [--culprit PATH] [--repeat N] [--out FILE] prints the table and writes it to FILE. Asked: under a minute on two
cores, with nothing made before.
"""

import datetime
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import one_table


def tour(culprit, folder, cache):
    start = time.monotonic()
    done = subprocess.run([culprit, "demo", "--dir", str(folder)], capture_output=True, text=True,
                          env={**os.environ, "XDG_CACHE_HOME": str(cache)})
    if done.returncode != 0:
        sys.exit(f"bench: the tour failed: {done.stderr}")
    return time.monotonic() - start


def main():
    options = one_table.options(__doc__)
    rows = {"nothing made before": [], "its flavours there": []}
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(options.repeat):
            for times in rows.values():
                # In the same folder again: paths are part of what a flavour is made from.
                shutil.rmtree(Path(scratch) / "tour", ignore_errors=True)
                times.append(tour(options.culprit, Path(scratch) / "tour", Path(scratch) / f"cache{number}"))
    table = one_table.Table(options.out, "The tour",
                            f"`culprit demo` from start to end, {options.repeat} times, {os.cpu_count()} cores, "
                            f"{datetime.date.today()}. Asked: under 60 s with nothing made before. `bench/touring.py --out` makes this.",
                            ["", "least, s", "most, s"])
    for what, times in rows.items():
        table.add(what, f"{min(times):.1f}", f"{max(times):.1f}")
    table.write()


if __name__ == "__main__":
    main()
