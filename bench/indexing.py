#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""indexing.py [--out NAME] [--repeat N] …: the memory indexing paper's Figure 11 and Table 1 for the index flavours. Figure 11
is run.py's (time and space; lazy or online, all or only what is needed instrumented, and with the index tree); Table 1, what
was instrumented and what was allocated, is put behind it: the index flavour with the options `tree` and `index_summary` tells it.
--show FILE prints one such summary. Options that are not known here are run.py's. Exit code: as run.py's."""
import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import run  # noqa: E402
from configurations import CONFIGURATIONS  # noqa: E402

MATRIX = "plain,base,index,index-tree,index-online,index-whole,index-whole-online"
SUMMARY = struct.Struct("<10Q")  # culprit_index_summary in abi/indexing.h
FIELDS = ("functions", "framed", "guests", "branches", "counted", "allocating", "blocks", "bytes", "most_nodes", "deepest")


def read(path):
    """A summary's fields by name."""
    with open(path, "rb") as file:
        return dict(zip(FIELDS, SUMMARY.unpack(file.read(SUMMARY.size))))


def show(summary):
    """One summary as text."""
    average = summary["bytes"] / max(1, summary["blocks"])
    print(f"{summary['functions']} functions, {summary['framed']} with a frame, {summary['guests']} in its caller's; "
          f"{summary['branches']} branches, {summary['counted']} counted cycles\n"
          f"{summary['allocating']} calls of allocation functions, {summary['blocks']:,} blocks of {average:.0f} bytes on average\n"
          f"{summary['most_nodes']:,} nodes at most, {summary['deepest']:,} parts at most")


def share(part, whole):
    """A count, and what part of all it is."""
    return f"{part} ({100 * part / max(1, whole):.0f} %)"


def row(name, summary, whole):
    """Of Table 1."""
    average = summary["bytes"] / max(1, summary["blocks"])
    cells = [name, share(summary["framed"], summary["functions"]), summary["guests"],
             share(summary["counted"], summary["branches"]), share(whole["counted"], whole["branches"]),
             f"{summary['allocating']} / {summary['blocks']:,}", f"{average:,.0f}", f"{summary['deepest']:,}",
             f"{summary['most_nodes']:,}"]
    return "| " + " | ".join(map(str, cells)) + " |"


ABOUT = """## What was instrumented, and what was allocated

The paper's Table 1. *Framed*: functions that keep a frame of their own, and their share of all; *guests* stand in their
caller's. *Counted*: cycles that have a counter, beside the number of branches: other branches need nothing, where the paper
instruments each that is relevant; *whole*: the same with everything instrumented. *Calls / blocks*: calls of allocation
functions in the code, and how often they were executed. *Parts*: of the longest index, as the paper's depth of the tree;
*nodes*: of the index tree, at most at one time.

| program | framed | guests | counted | counted, whole | calls / blocks | bytes on average | parts | nodes |
|---|---:|---:|---:|---:|---:|---:|---:|---:|"""


def summary_of(bench, program, flavour):
    """Of one execution with a tree."""
    configuration = next(row for row in CONFIGURATIONS if row.name == "index")
    executable = program.executable(configuration, bench)
    made = run.run_tool([str(bench.culprit), "flavour", flavour, str(executable)], "flavour failed").strip()
    with tempfile.TemporaryDirectory(dir=bench.work) as scratch:
        path = Path(scratch) / "summary"
        subprocess.run([made, *program.workloads[0]["args"]], cwd=scratch, check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "CULPRIT_RUNTIME": f"tree=1:index_summary={path}"})
        return read(path)


def table_1(arguments):
    """Its lines."""
    bench = run.Bench(run.parse(arguments))
    bench.work.mkdir(parents=True, exist_ok=True)
    own = json.loads((HERE / "programs.json").read_text())
    lines = []
    for program in bench.choose_programs():
        if program.name not in own:
            continue
        run.say(f"what is instrumented of {program.name}")
        short = run.OwnProgram(program.name, own[program.name], "small")  # only what was instrumented is asked of it
        lines.append(row(program.name, summary_of(bench, program, "index"), summary_of(bench, short, "index-whole")))
    return [ABOUT, *lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], add_help=False)
    parser.add_argument("--show", type=Path, metavar="FILE")
    parser.add_argument("--out", type=Path)
    options, others = parser.parse_known_args()
    if options.show:
        show(read(options.show))
        return 0
    out = options.out or HERE / "results" / "explain"
    code = run.main(["--configurations", MATRIX, "--out", str(out), *others])
    if code == 2:
        return code
    page = out.with_suffix(".md")
    run.write_whole(page, page.read_text(encoding="utf-8").rstrip() + "\n\n" + "\n".join(table_1(others)) + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
