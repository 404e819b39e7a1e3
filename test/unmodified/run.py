#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of examples/heap without culprit's compiler: built by gcc, stripped, trained and checked as they are.

For each: train on good inputs; check held-out good inputs (silent); check the bad input (reported); the same input with
the bug fixed (silent). --table writes what was seen to docs/unmodified-examples.md.

Exit codes: 0 all as expected; 1 something is not; 2 wrong use.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "heap"))

import subject as subjects
import tool

GCC = {"C": ("gcc",), "C++": ("g++",)}


def build(entry, variant, folder):
    """An example by gcc, stripped."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / entry["name"]
    subprocess.run([*subjects.compile_words(entry, GCC, variant == "fixed", program), "-Wno-error"], check=True)
    subprocess.run(["strip", program], check=True)
    return program


def judged(culprit, model, program, inputs):
    """Runs of a folder of inputs, and those with findings."""
    answer = culprit.ask("check", "-m", model, "--inputs", inputs, program=(program, "@@"))
    reported = [run for run in answer.runs if run.get("findings")]
    return answer, len(answer.runs), reported


def judge(entry, culprit):
    """What is seen of one example, and what is wrong with it."""
    name = entry["name"]
    programs = {variant: build(entry, variant, culprit.work / variant) for variant in ("buggy", "fixed")}
    inputs = subjects.write_inputs(name, culprit.work / "inputs")
    model = culprit.work / f"{name}.model"
    model.unlink(missing_ok=True)
    trained = culprit.ask("train", "-m", model, "--inputs", inputs / "train", program=(programs["buggy"], "@@"))
    seen = {"name": name, "bug": entry["bug"], "training_runs": len(trained.runs), "problems": []}
    if trained.code != 0:
        seen["problems"].append(f"training ends with {trained.code}\n{trained.output}")
        return seen
    for what, program, folder, expected in (("held", "buggy", "held", False), ("bad", "buggy", "bad", True),
                                            ("fixed", "fixed", "bad", False)):
        answer, runs, reported = judged(culprit, model, programs[program], inputs / folder)
        seen[what] = {"runs": runs, "reported": len(reported)}
        if expected:
            messages = [finding["message"] for run in reported for finding in run["findings"]]
            seen["message"] = messages[0] if messages else ""
        right = len(reported) == runs if expected else not reported
        if not right or answer.code not in (0, 1):
            seen["problems"].append(f"{what}: {len(reported)} of {runs} runs reported (exit code {answer.code})\n"
                                    f"  $ {answer.command}\n{answer.output[-2000:]}")
    return seen


def page(all_seen):
    """The table, as Markdown."""
    lines = ["# Heap examples without instrumentation", "",
             "Made by `test/unmodified/run.py --table`: the programs of [examples/heap](../examples/heap), built by",
             "`gcc -O2`, stripped, and run as they are ([how](unmodified.md)).", "",
             "| program | bug | training runs | held-out good runs | of them reported | bad runs reported | fixed, reported | first finding |",
             "|---|---|---:|---:|---:|---:|---:|---|"]
    for seen in all_seen:
        bad, held, fixed = (seen.get(key, {"runs": 0, "reported": 0}) for key in ("bad", "held", "fixed"))
        lines.append(f"| {seen['name']} | {seen['bug']} | {seen['training_runs']} | {held['runs']} | {held['reported']} | "
                     f"{bad['reported']} of {bad['runs']} | {fixed['reported']} of {fixed['runs']} | {seen.get('message', '')} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--culprit", type=Path, required=True, help="the culprit to test")
    parser.add_argument("--work", type=Path, required=True, help="folder for what is built")
    parser.add_argument("--table", type=Path, help="folder to write unmodified-examples.md to")
    parser.add_argument("names", nargs="*", help="examples (default: all)")
    arguments = parser.parse_args()
    all_seen = []
    for name, entry in subjects.manifest().items():
        if arguments.names and name not in arguments.names:
            continue
        work = arguments.work / name
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        seen = judge(entry, tool.Tool(arguments.culprit, work))
        all_seen.append(seen)
        print(json.dumps({key: value for key, value in seen.items() if key != "problems"}), flush=True)
        for problem in seen["problems"]:
            print(f"{name}: {problem}", flush=True)
    if arguments.table:
        (arguments.table / "unmodified-examples.md").write_text(page(all_seen))
    wrong = sum(1 for seen in all_seen if seen["problems"])
    print(f"{len(all_seen) - wrong} of {len(all_seen)} examples as expected")
    return 1 if wrong or not all_seen else 0


if __name__ == "__main__":
    sys.exit(main())
