# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts that measure culprit and make one table of it share: their options, and where the table goes."""

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def options(about):
    """--culprit, --repeat, --out; `about` is the script's own text."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--culprit", default=str(ROOT / "build/release/bin/culprit"), metavar="PATH")
    parser.add_argument("--repeat", type=int, default=3, metavar="N")
    parser.add_argument("--out", type=Path, metavar="FILE")
    chosen = parser.parse_args()
    if not os.access(chosen.culprit, os.X_OK):
        sys.exit("bench: culprit is not built")
    return chosen


class Table:
    """Lines of Markdown, printed as they come, so that an interrupted measurement leaves what it has."""

    def __init__(self, out, title, about, columns):
        self.out, self.lines = out, []
        for line in (f"# {title}", "", about, "", "| " + " | ".join(columns) + " |", "|---|" + "---:|" * (len(columns) - 1)):
            self.add_line(line)

    def add_line(self, line):
        self.lines.append(line)
        print(line, flush=True)

    def add(self, *cells):
        self.add_line("| " + " | ".join(cells) + " |")

    def write(self):
        if self.out:
            self.out.write_text("\n".join(self.lines) + "\n")
