#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the heap graph with a full scan at every metric point, on programs that are no examples.

Each input is run three times: plain, for its output; in the monitor flavour at its own pace; and
with points so dense that some hundreds fall into the run wherever it is. Output must be equal and
no vertex may differ at any point at which one thread runs. `--plant` asks the runtime to lose some
card marks on purpose and expects that every program shows it.

Exit codes: 0 as expected; 1 not; 2 wrong use; 77 skipped (no network).
"""

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import run_file
import subject as subjects
import table
import tool
import workloads

sys.path.insert(0, str(subjects.HERE / "inject"))

import injection

BENCH = subjects.ROOT / "bench"
THREADS = subjects.HERE / "threads" / "threads.cpp"
INPUTS = 5  # of a real program
LIMIT = 600  # seconds, for one run
SHOWN = 3  # problems told of one program


# Said on the page beside a program that has mismatches; they fail all the same.
CAUSES = {}  # by program


class Failed(Exception):
    """A program could not be built or run."""


@dataclass(frozen=True)
class Case:
    """One run."""

    label: str
    words: tuple[str, ...]
    given: Path | None = None  # standard input


@dataclass(frozen=True)
class Program:
    """An executable made with culprit, and what to run it on."""

    name: str
    executable: Path
    cases: tuple[Case, ...]
    quiescent: bool = False  # with threads: some points must be without the others


def compiled(name, sources, culprit):
    """Builds a program of a file or two with culprit."""
    folder = culprit.work / "bin"
    folder.mkdir(parents=True, exist_ok=True)
    cxx = sources[0].suffix == ".cpp"
    words = [*culprit.compiler()["C++" if cxx else "C"], *(("-std=c++20",) if cxx else ()), "-O2", "-g",
             "-pthread", f"-I{BENCH / 'programs'}", *map(str, sources), "-o", str(folder / name)]
    done = subprocess.run(words, env=culprit.environment(), text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise Failed(f"does not build:\n{done.stdout}")
    return folder / name


def bench_program(name, culprit, _):
    """A program of bench/programs at its small size."""
    entry = json.loads((BENCH / "programs.json").read_text())[name]
    sources = [BENCH / "programs" / name / source for source in entry["sources"]]
    return Program(name, compiled(name, sources, culprit), (Case("small", tuple(entry["small"])),))


def threads_program(name, culprit, _):
    """Eight threads."""
    cases = tuple(Case(f"{rounds} rounds", (str(rounds),)) for rounds in (6, 12))
    return Program(name, compiled(name, [THREADS], culprit), cases, True)


def real_program(name, culprit, arguments):
    """A Debian program with the inputs of workloads.py."""
    workload = workloads.WORKLOADS[name]
    built = injection.debian_program(workload.recipe, arguments)
    workloads.write(workload, culprit.work, "inputs", INPUTS, 1)
    fixed = workloads.arguments(workload, culprit.work)
    cases = []
    for path in sorted((culprit.work / "inputs").iterdir())[:INPUTS]:
        words = tuple(str(path) if word == "@@" else word for word in fixed)
        cases.append(Case(path.name, words, None if "@@" in fixed else path))
    return Program(name, built.executable(workload.executable), tuple(cases))


SETS = {
    "bench": (lambda: list(json.loads((BENCH / "programs.json").read_text())), bench_program),
    "threads": (lambda: ["threads"], threads_program),
    "real": (lambda: list(workloads.WORKLOADS), real_program),
}


def executed(program, case, culprit, flavour=None, settings=""):
    """Exit status and output of one run; argv[0] is the program's in any case."""
    environment = culprit.environment() | ({"CULPRIT_RUNTIME": settings} if settings else {})
    with open(case.given or os.devnull, "rb") as given:
        done = subprocess.run([str(program.executable), *case.words], stdin=given, cwd=culprit.work,
                              executable=flavour, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LIMIT, check=False)
    return done.returncode, done.stdout


class Examination:
    """One program: what was compared and what is wrong."""

    def __init__(self, program, culprit, arguments):
        self.program, self.culprit, self.arguments = program, culprit, arguments
        self.problems = []
        self.runs = self.points = self.concurrent = self.vertexes = self.mismatches = 0
        answer = culprit.run("flavour", "monitor", program.executable)
        if answer.code:
            raise Failed(f"no flavour: {answer.output}")
        self.flavour = Path(answer.output.strip().splitlines()[-1])

    def record(self, case, settings, plain):
        """One run in the monitor flavour; returns its run file's contents."""
        path = self.culprit.work / "verified.run"
        path.unlink(missing_ok=True)
        settings = ":".join([f"run={path}", f"verify={2 if self.arguments.plant else 1}", *settings])
        said = executed(self.program, case, self.culprit, self.flavour, settings)
        how = (f"CULPRIT_RUNTIME={settings} {self.flavour} {' '.join(case.words)}"
               + (f" < {case.given}" if case.given else ""))
        if said != plain:
            self.problems.append(f"{case.label}: other output or exit code ({said[0]}, not {plain[0]})"
                                 f"\n  $ {how}")
        run = run_file.read(path)
        path.unlink()
        self.runs += 1
        self.take(case, run, how)
        return run

    def take(self, case, run, how):
        """Adds up what was compared."""
        if len(run.verified) != run.points or not run.points:
            self.problems.append(f"{case.label}: {len(run.verified)} of {run.points} metric points "
                                 f"compared\n  $ {how}")
        for point in run.verified:
            if point.threads > 1:
                self.concurrent += 1
                continue
            self.points += 1
            self.vertexes += point.vertexes
            self.mismatches += point.mismatches
        wrong = [point for point in run.verified if point.mismatches and point.threads == 1]
        if wrong and not self.arguments.plant:
            first = wrong[0]
            self.problems.append(
                f"{case.label}: the graph is wrong at {len(wrong)} of {run.points} points, first at "
                f"point {first.index}, in {first.mismatches} of {first.vertexes} vertexes; the one at "
                f"{first.address:#x} has degrees (in, out) {first.graph} in the graph and {first.scan} "
                f"in the scan\n  $ {how}")

    def examine(self):
        """Every case at both paces."""
        for case in self.program.cases:
            plain = executed(self.program, case, self.culprit)
            paced = self.record(case, [], plain)
            every = max(paced.entries // self.arguments.points, 1)
            self.record(case, [f"every={every}"], plain)
        if self.program.quiescent and not (self.points and self.concurrent):
            self.problems.append(f"{self.points} quiescent points and {self.concurrent} others: "
                                 "there should be some of each")
        if self.arguments.plant and not self.mismatches:
            self.problems.append("marks were lost on purpose, and no point shows it")

    def result(self):
        """As the table and the summary want it."""
        return {"name": self.program.name, "inputs": len(self.program.cases), "runs": self.runs,
                "points": self.points, "concurrent": self.concurrent, "vertexes": self.vertexes,
                "mismatches": self.mismatches, "problems": self.problems}


def examined(name, make, arguments):
    """One program from sources to verdict."""
    culprit = tool.Tool(arguments.culprit, arguments.work / name, 1)
    culprit.work.mkdir(parents=True, exist_ok=True)
    try:
        examination = Examination(make(name, culprit, arguments), culprit, arguments)
        examination.examine()
        return examination.result()
    except (Failed, run_file.Unreadable, OSError, subprocess.TimeoutExpired,
            injection.build.BuildError, injection.fetch.FetchError) as failed:
        return {"name": name, "problems": [f"{type(failed).__name__}: {failed}"]}


def page(known):
    """docs/heap-verify.md"""
    titles = {"bench": "Programs of bench/, small size", "threads": "Threads",
              "real": "Programs of Debian"}
    lines = ["# The heap graph beside a full scan",
             "Made by `test/heap/verify.py --table`; do not edit. Each input is run at its own pace and with"
             " dense points; at each point the degrees of every vertex are compared with those of a scan of"
             " all memory. With several threads running, a point cannot be compared: the others go on"
             " writing. In every run the program's output was that of the plain executable.", ""]
    for kind, title in titles.items():
        if kind not in known:
            continue
        lines += [f"## {title}", table.row(["program", "inputs", "runs", "points compared",
                                            "points beside other threads", "vertexes compared",
                                            "mismatches"]), table.row(["---"] * 7)]
        for name, result in sorted(known[kind].items()):
            cells = [f"{result[key]:,}" if key in result else "failed"
                     for key in ("inputs", "runs", "points", "concurrent", "vertexes", "mismatches")]
            lines.append(table.row([name, *cells]))
        lines.append("")
        for name, result in sorted(known[kind].items()):
            if result.get("mismatches"):
                lines += [f"Mismatches in {name}: {CAUSES.get(name, 'cause not known yet.')}", ""]
    return "\n".join(lines[:-1]) + "\n"


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("set", choices=SETS)
    parser.add_argument("names", nargs="*", metavar="PROGRAM", help="default: all of the set")
    parser.add_argument("--plant", action="store_true", help="lose marks; every program must show it")
    parser.add_argument("--points", type=int, default=300, help="dense points in a run, at least")
    parser.add_argument("--culprit", type=Path,
                        default=subjects.ROOT / "build" / "release" / "bin" / "culprit")
    parser.add_argument("--work", type=Path, default=subjects.ROOT / "build" / "verify")
    parser.add_argument("--sources", type=Path, default=injection.fetch.default_cache())
    parser.add_argument("--table", type=Path, metavar="FILE")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    arguments.work, arguments.culprit = arguments.work.resolve(), arguments.culprit.resolve()
    known, make = SETS[arguments.set]
    unknown = [name for name in arguments.names if name not in known()]
    if unknown or not arguments.culprit.exists():
        print("verify.py: error: " + (f"there is no {unknown[0]}; there are: {', '.join(known())}"
                                      if unknown else f"{arguments.culprit} does not exist; name "
                                      "another with --culprit"), file=sys.stderr)
        return 2
    results = {}
    try:
        for name in arguments.names or known():
            results[name] = result = examined(name, make, arguments)
            print(f"{name}: " + ("FAILED" if result["problems"] else "as expected")
                  + (f"; {result['points']:,} points, {result['vertexes']:,} vertexes compared, "
                     f"{result['mismatches']:,} mismatches" if "points" in result else ""), flush=True)
            for problem in result["problems"][:SHOWN]:
                print(f"  {problem}", flush=True)
    except injection.fetch.Skip as skip:
        print(f"skipped: {skip}")
        return injection.fetch.SKIPPED
    if arguments.table:
        kept = arguments.table.with_suffix(".json")
        before = json.loads(kept.read_text()) if kept.exists() else {}
        before[arguments.set] = before.get(arguments.set, {}) | {
            name: table.kept(result) for name, result in results.items()}
        table.write(kept, json.dumps(before, indent=1) + "\n")
        table.write(arguments.table, page(before))
    return 1 if any(result["problems"] for result in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
