#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains and checks programs with a planted heap bug: found, guilty function named, no false alarm.

For each subject: build with culprit; train on good inputs; check held-out good inputs (silent);
check the bad input (reported, the guilty function among the first three named); check the bad input
with the bug fixed against the same model (silent); run some inputs with the heap graph verified
against a full scan.

Exit codes: 0 all as expected; 1 something is not; 2 wrong use; 77 skipped (no network).
"""

import argparse
import json
import shutil
import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import subject as subjects
import table
import tool

sys.path.insert(0, str(subjects.HERE / "inject"))
sys.path.insert(0, str(subjects.ROOT / "test" / "programs"))

import build
import fetch
import injection

VERIFIED_RUNS = 3  # of training; the bad input is verified too


class Expectation(Exception):
    """Something the tool owes and did not give."""


def expect(condition, what, answer):
    """Fails with the call to type again and the end of what it said."""
    if not condition:
        said = "\n".join("    " + line for line in answer.output.splitlines()[-12:])
        raise Expectation(f"{what} (exit code {answer.code})\n  $ {answer.command}\n{said}")


def example(name, culprit):
    """Builds an example twice, buggy and fixed, under one name."""
    entry = subjects.manifest()[name]
    if subjects.marked_functions(entry) != [entry["guilty"]]:
        raise Expectation(f"{name}: examples.json and the sources name different guilty functions")
    programs = {}
    for variant in ("buggy", "fixed"):
        folder = culprit.work / variant
        folder.mkdir(parents=True, exist_ok=True)
        words = subjects.compile_words(entry, culprit.compiler(), variant == "fixed", folder / name)
        done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=culprit.environment(), check=False)
        if done.returncode:
            raise Expectation(f"{name} does not build:\n{done.stdout}")
        programs[variant] = folder / name
    inputs = subjects.write_inputs(name, culprit.work / "inputs")
    return subjects.Subject(name, entry["bug"], entry["guilty"], programs["buggy"],
                            programs["fixed"], inputs, ("@@",))


def count(folder):
    """Inputs in a folder."""
    return sum(1 for path in folder.iterdir() if path.is_file())


def train(subject, culprit, model):
    """A model from the good inputs, none of which may look suspicious."""
    answer = culprit.ask("train", "-m", model, "--only", "heap", "--inputs", subject.inputs / "train",
                         program=(subject.buggy, *subject.arguments))
    expect(answer.code == 0 and model.exists(), "training ends with 0 and a model", answer)
    wanted = count(subject.inputs / "train")
    expect(len(answer.runs) == wanted, f"training tells of {wanted} runs", answer)
    stable = [m["name"] for m in answer.document.get("metrics", []) if m["class"] == "global"]
    expect(stable, "some metric is globally stable", answer)
    return {"training_runs": wanted, "stable_metrics": stable}


def check_silent(subject, program, inputs, culprit, model, what, result):
    """Every run of a folder is judged, and none has a finding; what was seen goes into `result`."""
    answer = culprit.ask("check", "-m", model, "--only", "heap", "--inputs", inputs,
                         program=(program, *subject.arguments))
    found = tool.findings(answer)
    result["runs"] = len(answer.runs)
    result["reported"] = sum(1 for run in answer.runs if run.get("findings"))
    told = "; ".join(finding["message"] for finding in found[:3])
    expect(answer.code == 0 and not found, f"{what}: nothing is reported, but: {told}", answer)
    expect(len(answer.runs) == count(inputs), f"{what}: every run is told of", answer)


def check_bad(subject, culprit, model, result):
    """The bad input is reported, the guilty function among the first three named."""
    answer = culprit.ask("check", "-m", model, "--only", "heap", "--inputs", subject.inputs / "bad",
                         program=(subject.buggy, *subject.arguments))
    found = tool.findings(answer)
    result["notes"] = [note["message"] for run in answer.runs for note in run.get("notes", [])]
    expect(answer.code == 1 and found, "the bad input is reported", answer)
    first = found[0]
    named = tool.named_functions(first)
    ranked = tool.named_functions(first, limit=None)
    result |= {key: first.get(key) for key in ("message", "metric", "value", "range", "confidence")}
    result |= {"named": named, "findings": len(found),
               "rank": ranked.index(subject.guilty) + 1 if subject.guilty in ranked else None}
    expect(subject.guilty in named,
           f"{subject.guilty} is among the first three named, which are {named}", answer)


def verify(subject, culprit):
    """The exact graph equals a full scan at every metric point, on good inputs and the bad one."""
    folder = culprit.work / "verified"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for path in sorted((subject.inputs / "train").iterdir())[:VERIFIED_RUNS]:
        shutil.copy2(path, folder)
    for path in sorted((subject.inputs / "bad").iterdir()):
        shutil.copy2(path, folder / f"bad-{path.name}")
    model = culprit.work / "verified.model"
    model.unlink(missing_ok=True)
    answer = culprit.ask("train", "--verify", "-m", model, "--only", "heap", "--inputs", folder,
                         program=(subject.buggy, *subject.arguments))
    # 1: the bad input may look suspicious beside the good ones; a mismatch is 2.
    expect(answer.code in (0, 1), "the graph equals the scan at every metric point", answer)
    expect(len(answer.runs) == count(folder), "every verified run is told of", answer)
    return len(answer.runs)


def judge(subject, culprit, verified=True):
    """All expectations of one subject; returns what was seen."""
    model = culprit.work / f"{subject.name}.model"
    model.unlink(missing_ok=True)
    result = {"name": subject.name, "bug": subject.bug, "guilty": subject.guilty}
    problems = []

    def step(work):
        try:
            return work()
        except Expectation as failed:
            problems.append(str(failed))
            return None

    trained = step(lambda: train(subject, culprit, model))
    if trained:
        result |= trained | {"held_out": {}, "fixed": {}}
        step(lambda: check_silent(subject, subject.buggy, subject.inputs / "held", culprit, model,
                                  "held-out good runs", result["held_out"]))
        step(lambda: check_bad(subject, culprit, model, result))
        step(lambda: check_silent(subject, subject.fixed, subject.inputs / "bad", culprit, model,
                                  "after the fix", result["fixed"]))
    if verified:
        result["verified_runs"] = step(lambda: verify(subject, culprit))
    result["problems"] = problems
    return result


def examine(name, arguments):
    """One subject from sources to verdict; never raises but for a skip."""
    work = arguments.work.resolve() / name
    work.mkdir(parents=True, exist_ok=True)
    culprit = tool.Tool(arguments.culprit, work, arguments.runs_at_once)
    try:
        if arguments.real:
            subject = injection.subject(name, culprit, arguments.sources)
        else:
            subject = example(name, culprit)
        result = judge(subject, culprit, not arguments.no_verify)
        if arguments.real and result["problems"]:
            result["remark"] = injection.BUGS[name].remark
        return result
    except fetch.Skip:
        raise
    except (Expectation, build.BuildError, fetch.FetchError, injection.Stale) as failed:
        return {"name": name, "problems": [str(failed)]}
    except Exception:
        return {"name": name, "problems": [traceback.format_exc()]}


def told(result):
    """One line of the summary."""
    if result["problems"]:
        return f"{result['name']}: FAILED"
    return (f"{result['name']}: found by {result['metric']}, names {', '.join(result['named'])}; "
            f"{result['held_out']['runs']} held-out runs silent; silent after the fix"
            + (f"; {result['verified_runs']} runs verified" if "verified_runs" in result else ""))


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="examples (default: all)")
    parser.add_argument("--real", metavar="NAME", action="append",
                        help="a real program with an injected bug, or `all`; needs the network once")
    parser.add_argument("--culprit", type=Path,
                        default=subjects.ROOT / "build" / "release" / "bin" / "culprit")
    parser.add_argument("--work", type=Path, default=subjects.ROOT / "build" / "heap")
    parser.add_argument("--sources", type=Path, default=fetch.default_cache(),
                        help="where downloaded source packages are kept")
    parser.add_argument("--jobs", type=int, default=1, help="subjects examined at the same time")
    parser.add_argument("--runs-at-once", type=int, default=1, help="culprit's own -j")
    parser.add_argument("--no-verify", action="store_true", help="leave the verified runs out")
    parser.add_argument("--table", type=Path, metavar="FILE",
                        help="put the results into this markdown file and the .json beside it")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    known = list(injection.names() if arguments.real else subjects.manifest())
    wanted = arguments.names or [name for name in arguments.real or [] if name != "all"] or known
    unknown = [name for name in wanted if name not in known]
    if unknown or not arguments.culprit.exists():
        problem = (f"there is no {', '.join(unknown)}; there are: {', '.join(known)}" if unknown
                   else f"{arguments.culprit} does not exist; name another with --culprit")
        print(f"run.py: error: {problem}", file=sys.stderr)
        return 2
    try:
        with ThreadPoolExecutor(max_workers=max(arguments.jobs, 1)) as pool:
            results = list(pool.map(lambda name: examine(name, arguments), wanted))
    except fetch.Skip as skip:
        print(f"skipped: {skip}")
        return fetch.SKIPPED
    for result in results:
        print(told(result))
        for problem in result["problems"]:
            print(f"  {problem}")
    good = [result for result in results if not result["problems"]]
    held_out = [result.get("held_out", {}) for result in results]
    runs = sum(seen.get("runs", 0) for seen in held_out)
    reported = sum(seen.get("reported", 0) for seen in held_out)
    print(f"{len(good)} of {len(results)} as expected; {runs} held-out good runs, {reported} with a finding")
    if arguments.table:
        table.update(arguments.table, "injected" if arguments.real else "examples",
                     {result["name"]: table.kept(result) for result in results})
    (arguments.work / "results.json").write_text(json.dumps(results, indent=1))
    return 0 if len(good) == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
