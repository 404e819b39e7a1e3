#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs objects.cpp as a checking and a counting flavour and with ten tags, and writes docs/access-churn.md.

Fails if a table is larger after all objects than after a tenth of them by more than 1 %. Two fill up more slowly and have a
bound of their own: granules by address are those of the deepest stack that ever was, and what a counting flavour has met
is at most rows times kinds and names. What is resident also has pages that few entries share, and the blocks: it may
grow by 10 %, in a counting flavour by 25 %.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

INTRODUCTION = """\
# Tables while objects come and go
Made by the target `check-access-churn` (`test/runtime/churn/`); do not edit.

What the runtime keeps about accesses grows with the names and access sites a program has, not with its objects. Here
{objects:,} objects of 400 allocation contexts are allocated, written through checks, resized, freed and written once
more; functions with named locals are called, 1 in 32 objects, and a thread ends every 100,000. *Exact* are granules of
variables kept by address because no tag was left, *counted* the kinds and names that rows of a counting flavour met
(at most rows × (tags + names), 12 × 19,629 here, which rare ones fill up to last), *slow* the accesses so far that came
to the exact look. With ten tags it is a tenth of the objects.
"""

KEYS = ("contexts", "families", "names", "tags", "exact", "pairs", "counted", "slow")
ROWS = 12  # of objects.cpp
GRANULES = 12 * 256 // 16  # of the deepest stack there
VARIANTS = (  # the last is slow: a tenth of the objects
    ("checking, heap graph too", "checking", [], 1),
    ("counting", "counting", [], 1),
    ("checking, only ten tags", "checking", ["tags=10"], 10),
)


def run(program, objects, options):
    """The lines of one churn."""
    with tempfile.TemporaryDirectory() as work:
        options = [f"run={work}/churn.run", *options]
        environment = os.environ | {"CULPRIT_RUNTIME": ":".join(options)}
        done = subprocess.run([program, str(objects)], env=environment, stdout=subprocess.PIPE, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]


def grown(lines):
    """What is larger after all objects than after a tenth."""
    tenth, last = lines[1], lines[2]
    for key in KEYS:
        if key not in ("exact", "counted", "slow") and last[key] > tenth[key] * 1.01:
            yield key
    if last["exact"] > GRANULES:
        yield "exact"
    if last["counted"] > ROWS * (last["tags"] + last["names"]):
        yield "counted"
    if last["resident"] > tenth["resident"] * (1.25 if last["counted"] else 1.10):
        yield "resident"


def page(objects, results):
    """The whole page."""
    text = INTRODUCTION.format(objects=objects)
    for title, lines in results:
        text += f"\n## {title[0].upper()}{title[1:]}\n"
        text += "| objects | " + " | ".join(KEYS) + " | blocks | resident |\n"
        text += "|---:" * (len(KEYS) + 3) + "|\n"
        for line in lines:
            cells = [f"{line['objects']:,}"] + [f"{line[key]:,}" for key in KEYS]
            cells += [f"{line[key] / 1e6:.1f} MB" for key in ("blocks", "resident")]
            text += "| " + " | ".join(cells) + " |\n"
    return text


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checking", required=True)
    parser.add_argument("--counting", required=True)
    parser.add_argument("--objects", type=int, default=100_000_000)
    parser.add_argument("--table", type=pathlib.Path)
    arguments = parser.parse_args()
    results = []
    failed = False
    for title, program, options, part in VARIANTS:
        lines = run(getattr(arguments, program), arguments.objects // part, options)
        results.append((title, lines))
        for key in grown(lines):
            print(f"{title}: {key} grew")
            failed = True
        print(title, lines[-1], flush=True)
    if arguments.table:
        fresh = arguments.table.with_suffix(".new")
        fresh.write_text(page(arguments.objects, results))
        fresh.replace(arguments.table)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
