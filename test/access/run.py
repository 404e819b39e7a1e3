#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains and checks programs with a planted access bug: found, ranked first or second, no false alarm.

For each example: build with culprit; train on good inputs; check held-out good inputs (silent); check
the bad inputs (each reported, the guilty line or its function first or second); check the bad inputs
with the bug fixed against the same model (silent). A bad input listed as `open` in examples.json is one
that is known to be missed, with the reason; it fails once it is found. A finding that is also there after the fix, or on a
held-out input, is a false alarm; one in the bad run alone, in another function, is a consequence.

Exit codes: 0 all as expected; 1 something is not; 2 wrong use.
"""

import argparse
import json
import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import example as examples
import page

import subject as subjects
import tool

BEST_RANKS = 2  # the guilty place is among the first two
FALSE_ALARMS = 2  # at most, in any example
QUIET = 7  # so many examples have none


class Expectation(Exception):
    """Something the tool owes and did not give."""


def expect(condition, what, answer):
    """Fails with the call to type again and the end of what it said."""
    if not condition:
        said = "\n".join("    " + line for line in answer.output.splitlines()[-25:])
        raise Expectation(f"{what} (exit code {answer.code})\n  $ {answer.command}\n{said}")


def build(entry, culprit):
    """Buggy and fixed, under one name: the model knows a program by its name."""
    programs = {}
    for variant in ("buggy", "fixed"):
        folder = culprit.work / variant
        folder.mkdir(parents=True, exist_ok=True)
        words = subjects.compile_words(entry, culprit.compiler(), variant == "fixed",
                                       folder / entry["name"])
        done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=culprit.environment(), check=False)
        if done.returncode:
            raise Expectation(f"{entry['name']} does not build:\n{done.stdout}")
        programs[variant] = folder / entry["name"]
    return programs


def place(finding):
    """File, line and function of a finding, without the folders and the parameters."""
    location = finding.get("location") or {}
    return (Path(location.get("file") or "").name, location.get("line"),
            tool.plain_name(location.get("function") or ""))


def is_guilty(finding, guilt):
    """On the guilty line, or in its function."""
    file, line, function = place(finding)
    return file == guilt.file and (line == guilt.line or function == guilt.function)


def kept(finding):
    """What the page and the reader of results.json want of a finding."""
    file, line, function = place(finding)
    return {"where": f"{file}:{line} {function}", "message": finding.get("message"),
            "rank": finding.get("rank"), "confidence": finding.get("confidence"),
            "raw_confidence": finding.get("raw_confidence")}


class Examination:
    """One example: its model, what was seen, what is not as it should be."""

    def __init__(self, entry, culprit):
        self.entry, self.culprit = entry, culprit
        self.guilt = examples.guilt(entry)
        self.inputs = examples.write_inputs(entry["name"], culprit.work / "inputs")
        self.model = culprit.work / f"{entry['name']}.model"
        self.model.unlink(missing_ok=True)
        self.problems = []
        self.result = {"name": entry["name"], "problems": self.problems}

    def step(self, work, *words):
        """A failed expectation does not stop the others."""
        try:
            work(*words)
        except Expectation as failed:
            self.problems.append(str(failed))

    def check(self, program, folder):
        """Judges every input of a folder."""
        answer = self.culprit.ask("check", "-m", self.model, "--only", "access", "--inputs",
                                  self.inputs / folder, program=(program, "@@"))
        expect(answer.code in (0, 1) and len(answer.runs) == self.count(folder),
               f"every run of {folder} is judged", answer)
        return answer

    def count(self, folder):
        """Inputs of a kind."""
        return len(list((self.inputs / folder).glob("*.txt")))

    def train(self, program):
        """A model from the good inputs."""
        answer = self.culprit.ask("train", "-m", self.model, "--only", "access", "--inputs",
                                  self.inputs / "train", program=(program, "@@"))
        expect(answer.code == 0 and self.model.exists(), "training ends with 0 and a model", answer)
        wanted = self.count("train")
        expect(len(answer.runs) == wanted, f"training tells of {wanted} runs", answer)
        self.result["training_runs"] = wanted

    def held_out(self, program):
        """Good inputs the model has not seen."""
        answer = self.check(program, "held")
        found = tool.findings(answer)
        self.result["held_out"] = {
            "runs": len(answer.runs), "reported": sum(1 for run in answer.runs if run.get("findings")),
            "findings": [kept(finding) for finding in found],
            "notes": sum(len(run.get("notes", [])) for run in answer.runs)}
        expect(answer.code == 0 and not found, "held-out good runs: nothing is reported", answer)

    def bad(self, program):
        """Every bad input is reported, the guilty place first or second."""
        answer = self.check(program, "bad")
        self.result["bad"] = [self.bad_run(run, title) for run, title
                              in zip(answer.runs, examples.bad_inputs(self.entry["name"]))]
        for index, seen in enumerate(self.result["bad"]):
            if str(index) in self.entry.get("open", {}):
                expect(not seen["rank"], f"{seen['title']}: no longer missed; take it from examples.json's "
                       "list of open ones", answer)
                continue
            expect(seen["rank"], f"{seen['title']}: a finding at {self.guilt}", answer)
            expect(seen["rank"] <= BEST_RANKS,
                   f"{seen['title']}: the guilty place is first or second, not {seen['rank']}th", answer)

    def bad_run(self, run, title):
        """What is said of one bad input."""
        found = sorted(run.get("findings", []), key=lambda finding: finding["rank"])
        guilty = [finding for finding in found if is_guilty(finding, self.guilt)]
        best = guilty[0] if guilty else {}
        noted = [note for note in run.get("notes", []) if is_guilty(note, self.guilt)]
        return {"title": title, "status": run.get("status"),
                "rank": found.index(best) + 1 if best else None,
                "exact": any(place(finding)[1] == self.guilt.line for finding in guilty),
                "message": best.get("message"), "confidence": best.get("confidence"),
                "raw_confidence": best.get("raw_confidence"), "findings": len(found),
                "elsewhere": [kept(finding) for finding in found if finding not in guilty],
                "notes": len(run.get("notes", [])), "noted": [kept(note) for note in noted]}

    def fixed(self, program):
        """The same inputs without the bug."""
        answer = self.check(program, "bad")
        found = tool.findings(answer)
        self.result["fixed"] = {"runs": len(answer.runs), "findings": [kept(f) for f in found],
                                "notes": sum(len(run.get("notes", [])) for run in answer.runs)}
        expect(answer.code == 0 and not found, "after the fix: nothing is reported", answer)

    def examine(self):
        """Everything in order."""
        programs = build(self.entry, self.culprit)
        self.step(self.train, programs["buggy"])
        if "training_runs" in self.result:
            self.step(self.held_out, programs["buggy"])
            self.step(self.bad, programs["buggy"])
            self.step(self.fixed, programs["fixed"])
            self.result["false_alarms"] = false_alarms(self.result)
        return self.result


def false_alarms(result):
    """Findings that no bug explains."""
    return (len(result.get("held_out", {}).get("findings", []))
            + len(result.get("fixed", {}).get("findings", [])))


def examine(name, arguments):
    """One example from sources to verdict; never raises."""
    work = arguments.work.resolve() / name
    work.mkdir(parents=True, exist_ok=True)
    try:
        culprit = tool.Tool(arguments.culprit, work, arguments.runs_at_once)
        return Examination(examples.manifest()[name], culprit).examine()
    except Expectation as failed:
        return {"name": name, "problems": [str(failed)]}
    except Exception:
        return {"name": name, "problems": [traceback.format_exc()]}


def told(result):
    """The summary of one example."""
    lines = [f"{result['name']}: {'FAILED' if result['problems'] else 'as expected'}"]
    for seen in result.get("bad", []):
        place_of_it = "line" if seen["exact"] else "function"
        lines.append(f"  {seen['title']}: " + (
            f"guilty {place_of_it} ranked {seen['rank']} of {seen['findings']}: {seen['message']}"
            if seen["rank"] else f"MISSED ({seen['findings']} findings, {len(seen['noted'])} notes there)"))
    if "held_out" in result and "fixed" in result:
        lines.append(f"  held-out: {result['held_out']['reported']} of {result['held_out']['runs']} runs"
                     f" reported, {result['held_out']['notes']} notes; after the fix:"
                     f" {len(result['fixed']['findings'])} findings, {result['fixed']['notes']} notes")
    return "\n".join(lines + [f"  {problem}" for problem in result["problems"]])


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="examples (default: all)")
    parser.add_argument("--culprit", type=Path,
                        default=examples.ROOT / "build" / "release" / "bin" / "culprit")
    parser.add_argument("--work", type=Path, default=examples.ROOT / "build" / "access")
    parser.add_argument("--jobs", type=int, default=1, help="examples examined at the same time")
    parser.add_argument("--runs-at-once", type=int, default=1, help="culprit's own -j")
    parser.add_argument("--table", type=Path, metavar="FILE",
                        help="put the results into this markdown file and the .json beside it")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    known = list(examples.manifest())
    unknown = [name for name in arguments.names if name not in known]
    if unknown or not arguments.culprit.exists():
        problem = (f"there is no {', '.join(unknown)}; there are: {', '.join(known)}" if unknown
                   else f"{arguments.culprit} does not exist; name another with --culprit")
        print(f"run.py: error: {problem}", file=sys.stderr)
        return 2
    wanted = arguments.names or known
    with ThreadPoolExecutor(max_workers=max(arguments.jobs, 1)) as pool:
        results = []
        for result in pool.map(lambda name: examine(name, arguments), wanted):
            print(told(result), flush=True)
            results.append(result)
    runs = sum(result.get("held_out", {}).get("runs", 0) for result in results)
    reported = sum(result.get("held_out", {}).get("reported", 0) for result in results)
    alarms = [result.get("false_alarms", FALSE_ALARMS + 1) for result in results]
    good = sum(1 for result in results if not result["problems"])
    print(f"{good} of {len(results)} as expected; {runs} held-out good runs, {reported} with a finding; "
          f"{alarms.count(0)} examples without a false alarm, at most {max(alarms)} in one")
    if arguments.table:
        page.update(arguments.table, "examples", {result["name"]: page.kept(result) for result in results})
    (arguments.work / "results.json").write_text(json.dumps(results, indent=1))
    quiet = wanted != known or (alarms.count(0) >= QUIET and runs >= 200)
    return 0 if good == len(results) and max(alarms) <= FALSE_ALARMS and quiet else 1


if __name__ == "__main__":
    sys.exit(main())
