#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of examples/access without culprit's compiler: by gcc -O2 -g, trained and checked with --deep.

For each: train on good inputs, check held-out good ones, check the bad ones. --table writes what was seen to
docs/deep-examples.md. Of every example the guilty function is expected, first in rank, and no held-out good run to be reported.

Exit codes: 0 all as expected; 1 something is not; 2 wrong use.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "access"))

import example as examples

import subject
import tool

GCC = {"C": ("gcc",), "C++": ("g++",)}
# What lies behind a variable is the point of these: gcc puts variables in another order than the source has.
IN_ORDER = ("global_name", "wrong_check")
TRAINING, HELD = 30, 8  # runs: each takes half a second to start


def few(folder, count):
    """The first inputs of a folder, in a folder of their own."""
    taken = folder.with_name(f"{folder.name}-{count}")
    shutil.rmtree(taken, ignore_errors=True)
    taken.mkdir()
    for path in sorted(folder.glob("*.txt"))[:count]:
        shutil.copy(path, taken)
    return taken


def is_guilty(finding, entry):
    """Is it about the guilty function?"""
    return finding["location"]["function"].split("::")[-1] == entry["guilty"]


def judge(name, entry, culprit):
    """What is seen of one example."""
    program = culprit.work / name
    order = ["-fno-toplevel-reorder"] if name in IN_ORDER else []
    subprocess.run([*subject.compile_words(entry, GCC, False, program), "-g", "-Wno-error", *order], check=True)
    inputs = examples.write_inputs(name, culprit.work / "inputs")
    model = culprit.work / f"{name}.model"
    model.unlink(missing_ok=True)
    trained = culprit.ask("train", "--deep", "-m", model, "--inputs", few(inputs / "train", TRAINING), program=(program, "@@"))
    if trained.code not in (0, 1):
        sys.exit(f"{name}: training ends with {trained.code}\n{trained.output}")
    held = culprit.ask("check", "--deep", "-m", model, "--inputs", few(inputs / "held", HELD), program=(program, "@@"))
    bad = culprit.ask("check", "--deep", "-m", model, "--inputs", inputs / "bad", program=(program, "@@"))
    firsts = [run["findings"][0] for run in bad.runs if run["findings"]]
    right = [finding for finding in firsts if is_guilty(finding, entry)]
    named = [run for run in bad.runs if any(is_guilty(finding, entry) for finding in run["findings"] + run["notes"])]
    return {"name": name, "bug": entry["bug"], "held": (len(held.runs), sum(1 for run in held.runs if run["findings"])),
            "bad": len(bad.runs), "found": len(firsts), "right": len(right), "named": len(named),
            "message": (right or firsts or [{"message": ""}])[0]["message"]}


def page(rows):
    """The table, as Markdown."""
    lines = ["# Access examples without bitcode", "",
             "Made by `test/deep/examples.py --table`: the programs of [examples/access](../examples/access), built by",
             f"`gcc -O2 -g` ({' and '.join(IN_ORDER)} with `-fno-toplevel-reorder`: what lies behind a variable is their point) and run",
             f"with [--deep](deep.md); {TRAINING} training runs each.", "",
             "| program | bug | held-out good runs reported | bad runs reported | of them the guilty function first | it is named, notes included | first finding |",
             "|---|---|---:|---:|---:|---:|---|"]
    lines += [f"| {row['name']} | {row['bug']} | {row['held'][1]} of {row['held'][0]} | {row['found']} of {row['bad']} | "
              f"{row['right']} | {row['named']} | {row['message']} |" for row in rows]
    lines += ["", "Local variables and members have names because of `-g`. Without it, of what runs over a buffer on the stack only a return",
              "address is seen, and a global is one name with all its writers."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--culprit", type=Path, required=True, help="the culprit to test")
    parser.add_argument("--work", type=Path, required=True, help="folder for what is built")
    parser.add_argument("--table", type=Path, help="folder to write deep-examples.md to")
    parser.add_argument("names", nargs="*", help="examples (default: all)")
    arguments = parser.parse_args()
    rows = []
    for name, entry in examples.manifest().items():
        if arguments.names and name not in arguments.names:
            continue
        work = arguments.work / name
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        rows.append(judge(name, entry, tool.Tool(arguments.culprit, work, jobs=2)))
        print(rows[-1], flush=True)
    if arguments.table:
        (arguments.table / "deep-examples.md").write_text(page(rows))
    wrong = [row["name"] for row in rows if row["right"] < row["bad"] or row["held"][1]]
    for name in wrong:
        print(f"{name} is not as expected")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
