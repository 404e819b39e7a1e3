#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much training access sets need: alarms on held-out inputs against the number of training runs.

Real programs are trained on 5, 10, … 30 inputs and then checked on others. After 30 inputs nothing may
be reported. Writes docs/access-training.md.

Exit codes: 0 silent after 30; 1 not, or a program failed; 2 wrong use; 77 skipped (no network).
"""

import argparse
import shutil
import sys

import example  # noqa: F401: where the next ones are found
import tool
from table import row  # before real: test/programs has a table, too

import real

INPUTS = (5, 10, 15, 20, 25, 30)
HELD_OUT = 25
PROGRAMS = ("lua", "gawk", "sqlite3", "bc")


def learned(program, count):
    """A model of the first `count` training inputs."""
    folder = program.culprit.work / f"first-{count}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for path in sorted((program.culprit.work / "train").iterdir())[:count]:
        shutil.copy2(path, folder)
    model = program.culprit.work / f"{count}.model"
    program.train(model, folder)
    return model


def told(finding):
    """Where and what, without folders."""
    location = finding.get("location") or {}
    return (f"{location.get('file', '?').rsplit('/', 1)[-1]}:{location.get('line')} "
            f"{location.get('function')}: {finding.get('message')}")


def measured(name, arguments):
    """Findings and notes for each number of training inputs."""
    program = real.program(name, arguments)
    program.inputs("train", max(INPUTS), 1)
    held = program.inputs("held", HELD_OUT, 1001)
    result = {"held_out": HELD_OUT, "counts": {}}
    for count in arguments.counts:
        model = learned(program, count)
        answer = program.culprit.ask("check", "-m", model, "--only", "access", "--inputs", held,
                                     program=program.call)
        if answer.code not in (0, 1) or len(answer.runs) != HELD_OUT:
            raise real.Failed.with_answer(answer)
        found = tool.findings(answer)
        result["counts"][str(count)] = {
            "findings": len(found), "reported": sum(1 for run in answer.runs if run.get("findings")),
            "notes": sum(len(run.get("notes", [])) for run in answer.runs),
            "told": sorted({told(finding) for finding in found})}
        print(f"{name} after {count}: {len(found)} findings in "
              f"{result['counts'][str(count)]['reported']} of {HELD_OUT} runs, "
              f"{result['counts'][str(count)]['notes']} notes", flush=True)
        for line in result["counts"][str(count)]["told"][:8] if count == max(INPUTS) else ():
            print(f"  {line}", flush=True)
    return result


def page(known):
    """docs/access-training.md"""
    lines = ["# Alarms against training",
             "Made by `test/access/training.py --table`; do not edit. Programs of Debian are trained on the"
             f" first so many inputs and checked on {HELD_OUT} others, whose sizes differ by up to ten"
             " times; writes only. Each cell: findings for each held-out run, then (notes for each run).",
             "", row(["program", *(f"{count} inputs" for count in INPUTS)]),
             row(["---"] * (1 + len(INPUTS)))]
    for name, result in sorted(known.items()):
        cells = []
        for count in INPUTS:
            seen = result["counts"].get(str(count))
            cells.append(f"{seen['findings'] / HELD_OUT:.2f} ({seen['notes'] / HELD_OUT:.2f})"
                         if seen else "not run")
        lines.append(row([name, *cells]))
    last = str(max(INPUTS))
    for name, result in sorted(known.items()):
        for line in result["counts"].get(last, {}).get("told", []):
            lines += ["", f"Reported of {name} after {last}: {line}."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    real.add_options(parser, "access-training")
    parser.add_argument("--counts", type=int, nargs="*", default=INPUTS, help="training inputs")
    arguments = parser.parse_args()
    if not real.usable(arguments, "training.py"):
        return 2

    def added(name, before):
        result = measured(name, arguments)
        counts = before.get("counts", {}) | result["counts"]
        return result | {"counts": counts}, not result["counts"].get(str(max(INPUTS)), {}).get("findings")

    return real.measure_all(arguments, PROGRAMS, added, page)


if __name__ == "__main__":
    sys.exit(main())
