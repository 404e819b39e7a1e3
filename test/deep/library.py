#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A library without source corrupts a global of the program (examples/unmodified/library_global), as in AccMon's paper.

The program is built by gcc with debug information, the library without. Trained and checked with --deep: held-out good
runs are silent, bad ones name the library's function and the global, first in rank. The same bad runs under
AddressSanitizer (which the library, having no source, cannot be built with) and memcheck. --table writes
docs/deep-library.md.

Exit codes: 0 all as expected; 1 something is not; 2 wrong use.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "heap"))

import tool

EXAMPLE = ROOT / "examples" / "unmodified" / "library_global"
OBJECT = "alarm_level"


def guilty():
    """The function that the marked line names."""
    return re.search(r"// guilty: (\w+) ", (EXAMPLE / "gains.c").read_text()).group(1)


def build(folder, flags=(), fixed=False):
    """The program with its library beside it."""
    folder.mkdir(parents=True)
    library = folder / "libgains.so"
    subprocess.run(["gcc", "-O1", "-fPIC", "-shared", *(["-DFIXED"] if fixed else []), EXAMPLE / "gains.c", "-o", library], check=True)
    subprocess.run(["strip", "--strip-debug", library], check=True)
    program = folder / "station"
    # Variables in the order of the source: what lies behind the gains is the example's point.
    subprocess.run(["gcc", "-O2", "-g", "-fno-toplevel-reorder", *flags, EXAMPLE / "station.c", "-o", program, library,
                    f"-Wl,-rpath,{folder}"], check=True)
    return program


def other_tool(command, path, environment):
    """What another tool has to say of a bad input: its first report, or nothing."""
    done = subprocess.run([*command, path], text=True, capture_output=True, env={**os.environ, **environment})
    report = [line for line in done.stderr.splitlines() if re.search(r"ERROR: |== (Invalid|Use of|Conditional)", line)]
    return report[0] if report else ("nothing" if done.returncode == 0 else f"exit code {done.returncode}")


def judge(culprit):
    """What was seen, and what is wrong with it."""
    work = culprit.work
    inputs = work / "inputs"
    subprocess.run([sys.executable, EXAMPLE / "inputs.py", inputs], check=True)
    program = build(work / "plain")
    fixed = build(work / "fixed", fixed=True)
    model = work / "station.model"
    problems, seen = [], {}
    trained = culprit.ask("train", "--deep", "-m", model, "--inputs", inputs / "train", program=(program, "@@"))
    if trained.code != 0:
        return seen, [f"training ends with {trained.code}\n{trained.output}"]
    for what, which, folder in (("held", program, "held"), ("bad", program, "bad"), ("fixed", fixed, "bad")):
        answer = culprit.ask("check", "--deep", "-m", model, "--inputs", inputs / folder, program=(which, "@@"))
        reported = [run for run in answer.runs if run["findings"]]
        seen[what] = (len(answer.runs), len(reported))
        if what != "bad":
            if reported or answer.code != 0:
                problems.append(f"{what}: {len(reported)} of {len(answer.runs)} runs reported\n{answer.output[-2000:]}")
            continue
        seen["message"] = reported[0]["findings"][0]["message"] if reported else ""
        first = [min(run["findings"], key=lambda finding: finding["rank"]) for run in reported]
        right = [finding for finding in first
                 if finding["location"]["function"] == guilty() and OBJECT in finding["message"]]
        seen["first"] = len(right)
        if len(right) != len(answer.runs) or answer.code != 1:
            problems.append(f"bad: {len(right)} of {len(answer.runs)} runs name {guilty()} and {OBJECT} first\n{answer.output[-3000:]}")
    asan = build(work / "asan", ("-fsanitize=address",))
    bad = sorted((inputs / "bad").iterdir())
    seen["asan"] = {other_tool([asan], path, {"ASAN_OPTIONS": "detect_leaks=0"}) for path in bad}
    seen["memcheck"] = {other_tool(["valgrind", "-q", program], path, {}) for path in bad}
    for peer in ("asan", "memcheck"):
        if seen[peer] != {"nothing"}:
            problems.append(f"{peer} was expected to say nothing: {seen[peer]}")
    return seen, problems


def page(seen):
    """The table, as Markdown."""
    return "\n".join([
        "# A library without source", "",
        "Made by `test/deep/library.py --table`: [the example](../examples/unmodified/library_global), a program by `gcc -O2 -g`",
        "with a library by `gcc -O1` that has no debug information; `culprit train --deep` on 10 good inputs. AddressSanitizer is",
        "in the program, as far as it can be: not in the library.", "",
        "| tool | held-out good runs reported | bad runs: guilty function and global first | says of a bad run |",
        "|---|---:|---:|---|",
        f"| culprit --deep | {seen['held'][1]} of {seen['held'][0]} | {seen['first']} of {seen['bad'][0]} | {seen['message']} |",
        f"| the same, library mended | | {seen['fixed'][1]} of {seen['fixed'][0]} reported | nothing |",
        f"| AddressSanitizer | | 0 of {seen['bad'][0]} | {', '.join(sorted(seen['asan']))} |",
        f"| memcheck | | 0 of {seen['bad'][0]} | {', '.join(sorted(seen['memcheck']))} |"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--culprit", type=Path, required=True, help="the culprit to test")
    parser.add_argument("--work", type=Path, required=True, help="folder for what is built")
    parser.add_argument("--table", type=Path, help="folder to write deep-library.md to")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    seen, problems = judge(tool.Tool(arguments.culprit, arguments.work, jobs=2))
    print(seen)
    for problem in problems:
        print(problem)
    if arguments.table and not problems:
        (arguments.table / "deep-library.md").write_text(page(seen))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
