#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do globally stable metrics exist? Measures it on real programs and writes docs/heap-stability.md.

Part A: each program is trained on its own inputs; the table has the number of globally stable
metrics and one of them. Part B: five versions of one program, made by edits of its internal
constants and policies, trained on the same inputs one by one and together; then the fifth is checked
by a model of the other four, on inputs that none has seen. Part C: the number of stable metrics when
the thresholds are others; a model keeps runs and not conclusions, so `show` answers without new runs.

Exit codes: 0 every program has a stable metric; 1 some has none, or failed; 2 wrong use; 77 skipped.
"""

import argparse
import json
import sys
import traceback
from pathlib import Path

import subject as subjects
import table
import tool
import workloads

sys.path.insert(0, str(subjects.HERE / "inject"))

import edit
import injection

INPUTS = 20
HELD_OUT = 20
MEAN_CHANGE, STDDEV_CHANGE = 1.0, 5.0  # the defaults
# What part C tries: a heading and the settings that differ from the defaults.
VARIATIONS = (
    *((f"both thresholds × {factor}", {"mean_change": MEAN_CHANGE * factor,
                                       "stddev_change": STDDEV_CHANGE * factor})
      for factor in (0.25, 0.5, 1.0, 2.0, 4.0)),
    ("mean alone × 2", {"mean_change": MEAN_CHANGE * 2}),
    ("deviation alone × 2", {"stddev_change": STDDEV_CHANGE * 2}),
    ("in 20 % of the runs", {"stable_share": 0.2}),
    ("in 60 %", {"stable_share": 0.6}),
    ("in all", {"stable_share": 1.0}),
    ("the paper's rule", {"rule": "paper"}),
)
PAPER = ("roots", "indegree1", "indegree2", "leaves", "outdegree1", "outdegree2", "in_eq_out")


def lua_version_1(tree):
    """As Debian has it."""


def lua_version_2(tree):
    """The string table starts large."""
    edit.replace(tree, "src/llimits.h", "#define MINSTRTABSIZE\t128", "#define MINSTRTABSIZE\t1024")


def lua_version_3(tree):
    """... and strings of up to 24 characters are kept once, not up to 40."""
    lua_version_2(tree)
    edit.replace(tree, "src/llimits.h", "#define LUAI_MAXSHORTLEN\t40", "#define LUAI_MAXSHORTLEN\t24")


def lua_version_4(tree):
    """... and the collector starts a cycle earlier."""
    lua_version_3(tree)
    edit.replace(tree, "src/lgc.h", "#define LUAI_GCPAUSE    200", "#define LUAI_GCPAUSE    150")


def lua_version_5(tree):
    """... and works in smaller steps."""
    lua_version_4(tree)
    edit.replace(tree, "src/lgc.h", "#define LUAI_GCSTEPSIZE 13", "#define LUAI_GCSTEPSIZE 11")


VERSIONS = (lua_version_1, lua_version_2, lua_version_3, lua_version_4, lua_version_5)
VERSIONED = "lua"


class Failed(Exception):
    """A program could not be trained."""


def executable(name, arguments, change=None, variant="unchanged"):
    """Builds the program of a workload with culprit."""
    workload = workloads.WORKLOADS[name]
    built = injection.debian_program(workload.recipe, arguments, variant, change)
    return built.executable(workload.executable)


def settings_file(folder, values):
    """A settings file with these in [heap]."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    path = folder / "settings.toml"
    path.write_text("\n".join(["[heap]", *lines]) + "\n")
    return path


def train(culprit, program, words, inputs, model):
    """Trains; returns the metrics, and how many inputs look suspicious."""
    model.unlink(missing_ok=True)
    answer = culprit.ask("train", "-m", model, "--only", "heap", "--inputs", inputs,
                         program=(program, *words))
    # 1: an input looks suspicious; the model is there all the same, and the page says how many.
    if answer.code not in (0, 1) or not model.exists():
        raise Failed(f"exit code {answer.code}: {answer.command}\n{answer.output[-2000:]}")
    suspicious = sum(1 for run in answer.runs if run.get("suspicious"))
    return metrics(culprit, model), suspicious


def metrics(culprit, model, values=None):
    """What `show` says of a model, by metric name."""
    shown = culprit.ask("show", model, "--settings", settings_file(culprit.work, values or {}))
    if shown.document is None:
        raise Failed(f"{shown.command} wrote no JSON:\n{shown.output[-2000:]}")
    return {metric["name"]: metric for metric in shown.document["metrics"]}


def merge(culprit, models, merged):
    """One model of several."""
    merged.unlink(missing_ok=True)
    answer = culprit.run("merge", "-o", merged, *models)
    if answer.code != 0:
        raise Failed(f"exit code {answer.code}: {answer.command}\n{answer.output[-2000:]}")
    return merged


def stable(found):
    """Globally stable ones among the paper's seven, the one with the smallest deviation first."""
    chosen = [found[name] for name in PAPER if name in found and found[name]["class"] == "global"]
    return sorted(chosen, key=lambda metric: abs(metric["stddev_change"]))


def example_cells(chosen):
    """An example metric: one that says something, so not one that is always 0 % or 100 %."""
    telling = [m for m in chosen if m["max"] > 1 and m["min"] < 99] or chosen
    if not telling:
        return ["none", "", "", "", ""]
    metric = telling[0]
    return [metric["name"], f"{metric['mean_change']:.2f}", f"{metric['stddev_change']:.2f}",
            f"{metric['min']:.1f}", f"{metric['max']:.1f}"]


def inputs_of(name, work):
    """The inputs and the arguments of a workload."""
    workload = workloads.WORKLOADS[name]
    workloads.write(workload, work, "train", INPUTS, 1)
    return work / "train", workloads.arguments(workload, work)


def part_a(name, arguments):
    """One program, and what other thresholds would say."""
    work = arguments.work / name
    work.mkdir(parents=True, exist_ok=True)
    culprit = tool.Tool(arguments.culprit, work, arguments.jobs)
    program = executable(name, arguments)
    inputs, words = inputs_of(name, work)
    model = work / f"{name}.model"
    found, suspicious = train(culprit, program, words, inputs, model)
    return {"program": name, "inputs": INPUTS, "stable": [m["name"] for m in stable(found)],
            "suspicious": suspicious, "example": example_cells(stable(found)),
            "variations": {title: [m["name"] for m in stable(metrics(culprit, model, values))]
                           for title, values in VARIATIONS}}


def part_b(arguments):
    """Five versions, one by one and together; the last beside the others."""
    work = arguments.work / "versions"
    work.mkdir(parents=True, exist_ok=True)
    culprit = tool.Tool(arguments.culprit, work, arguments.jobs)
    inputs, words = inputs_of(VERSIONED, work)
    rows, models = [], []
    for number, change in enumerate(VERSIONS, 1):
        program = executable(VERSIONED, arguments, change, f"version{number}")
        models.append(work / f"version{number}.model")
        found, _ = train(culprit, program, words, inputs, models[-1])
        rows.append({"version": f"{number}: {change.__doc__.strip()}",
                     "stable": [m["name"] for m in stable(found)],
                     "example": example_cells(stable(found))})
    found = metrics(culprit, merge(culprit, models, work / "together.model"))
    rows.append({"version": "all five together", "stable": [m["name"] for m in stable(found)],
                 "example": example_cells(stable(found))})
    workloads.write(workloads.WORKLOADS[VERSIONED], work, "held", HELD_OUT, 1001)
    answer = culprit.ask("check", "-m", merge(culprit, models[:-1], work / "others.model"), "--only",
                         "heap", "--inputs", work / "held", program=(program, *words))
    if answer.code not in (0, 1):
        raise Failed(f"exit code {answer.code}: {answer.command}\n{answer.output[-2000:]}")
    return {"rows": rows, "checked": len(answer.runs),
            "reported": sum(1 for run in answer.runs if run.get("findings"))}


def page(known):
    """docs/heap-stability.md"""
    example = ["example", "mean change %", "deviation of change", "min %", "max %"]
    lines = [
        "# Do globally stable heap metrics exist?",
        "Made by `test/heap/figure7.py --table`; do not edit. The seven degree metrics; stable means a"
        " mean change within ±1 % and a standard deviation of change below 5 in at least 40 % of the"
        " runs, with the others inside the range (docs/heap.md).", "", "## Real programs",
        table.row(["program", "inputs", "stable metrics", *example, "suspicious inputs"]),
        table.row(["---"] * 9),
    ]
    for name, result in sorted(known.get("programs", {}).items()):
        lines.append(table.row([name, str(result["inputs"]), str(len(result["stable"])),
                                *result["example"], str(result["suspicious"])]))
    without = [name for name, result in known.get("programs", {}).items() if not result["stable"]]
    if without:
        lines += ["", f"No globally stable metric: {', '.join(sorted(without))}."]
    if known.get("versions"):
        versions = known["versions"]
        lines += ["", f"## Five versions of {VERSIONED}", "Each an edit of the one before, trained on the"
                  " same inputs.", "", table.row(["version", "stable metrics", *example]),
                  table.row(["---"] * 7)]
        lines += [table.row([row["version"], ", ".join(row["stable"]), *row["example"]])
                  for row in versions["rows"]]
        lines += ["", f"Version 5 checked by a model of the other four, on {versions['checked']} inputs "
                  f"that none of them has seen: findings in {versions['reported']} runs."]
    lines += ["", "## Sensitivity to the thresholds", "Globally stable metrics when one setting is"
              " another. *The paper's rule* has no exception for metrics that hardly move.", "",
              table.row(["program", *(title for title, _ in VARIATIONS)]),
              table.row(["---"] * (1 + len(VARIATIONS)))]
    for name, result in sorted(known.get("programs", {}).items()):
        lines.append(table.row([name, *(str(len(result["variations"][title]))
                                        for title, _ in VARIATIONS)]))
    return "\n".join(lines) + "\n"


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="PROGRAM", help="default: all")
    parser.add_argument("--culprit", type=Path,
                        default=subjects.ROOT / "build" / "release" / "bin" / "culprit")
    parser.add_argument("--work", type=Path, default=subjects.ROOT / "build" / "figure7")
    parser.add_argument("--sources", type=Path, default=injection.fetch.default_cache())
    parser.add_argument("--jobs", type=int, default=2, help="culprit's own -j")
    parser.add_argument("--quick", action="store_true", help="no versions")
    parser.add_argument("--table", type=Path, metavar="FILE")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    arguments.work = arguments.work.resolve()
    arguments.culprit = arguments.culprit.resolve()
    unknown = [name for name in arguments.names if name not in workloads.WORKLOADS]
    if unknown or not arguments.culprit.exists():
        print("figure7.py: error: " + (f"there is no {unknown[0]}" if unknown else
                                       f"{arguments.culprit} does not exist"), file=sys.stderr)
        return 2
    kept = arguments.table.with_suffix(".json") if arguments.table else None
    known = json.loads(kept.read_text()) if kept and kept.exists() else {}
    failed = False
    try:
        for name in arguments.names or workloads.WORKLOADS:
            try:
                result = part_a(name, arguments)
            except (Failed, injection.build.BuildError, injection.fetch.FetchError) as error:
                print(f"{name}: failed: {error}", flush=True)
                failed = True
                continue
            print(f"{name}: stable {', '.join(result['stable']) or 'none'}", flush=True)
            failed |= not result["stable"]
            known.setdefault("programs", {})[name] = result
        if not arguments.quick and (not arguments.names or VERSIONED in arguments.names):
            known["versions"] = part_b(arguments)
            for row in known["versions"]["rows"]:
                print(f"version {row['version']}: stable {', '.join(row['stable']) or 'none'}")
                failed |= not row["stable"]
    except injection.fetch.Skip as skip:
        print(f"skipped: {skip}")
        return injection.fetch.SKIPPED
    except (Failed, edit.Stale):
        traceback.print_exc()
        failed = True
    if arguments.table:
        table.write(kept, json.dumps(known, indent=1) + "\n")
        table.write(arguments.table, page(known))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
