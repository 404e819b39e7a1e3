# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of Debian for the access tests: built with culprit, with the inputs of variety.py; and what the scripts that
measure all of them have in common.

Those of test/heap are made for full heaps; here sizes are a tenth of that and differ by a factor of ten.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import example as examples
from table import write  # before the next: test/programs has a table, too

sys.path.insert(0, str(examples.HERE.parent / "heap" / "inject"))

import injection
import tool
import variety
import workloads

SMALLEST, LARGEST = 30, 300
NAMES = tuple(workloads.WORKLOADS)


class Failed(Exception):
    """A program could not be trained, checked or shown."""

    @classmethod
    def with_answer(cls, answer):
        """What culprit said instead."""
        return cls(f"exit code {answer.code}: {answer.command}\n{answer.output[-2000:]}")


@dataclass(frozen=True)
class Program:
    """One program and how it is run."""

    name: str
    executable: Path
    words: tuple[str, ...]
    culprit: tool.Tool

    @property
    def call(self):
        """As culprit wants it behind `--`."""
        return (self.executable, *self.words)

    def inputs(self, kind, runs, first_seed):
        """Writes so many inputs and returns their folder."""
        folder = self.culprit.work / kind
        for old in folder.glob("*") if folder.exists() else ():
            old.unlink()
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(runs):
            random = workloads.Generator(first_seed + number)
            size = random.between(SMALLEST, LARGEST)
            lines = variety.workload(self.name).lines(random, size, "")
            (folder / f"{number:02}").write_text("\n".join(lines) + "\n", encoding="ascii")
        return folder

    def train(self, model, inputs):
        """A new model of access sets."""
        model.unlink(missing_ok=True)
        answer = self.culprit.ask("train", "-m", model, "--only", "access", "--inputs", inputs, program=self.call)
        if answer.code not in (0, 1) or not model.exists():
            raise Failed.with_answer(answer)


def program(name, arguments):
    """Fetches and builds unless it is there."""
    workload = variety.workload(name)
    work = arguments.work / name
    work.mkdir(parents=True, exist_ok=True)
    compiler = argparse.Namespace(culprit=arguments.compiler or arguments.culprit,
                                  sources=arguments.sources, work=arguments.work)
    built = injection.debian_program(workload.recipe, compiler)
    return Program(name, built.executable(workload.executable), workloads.arguments(workload, work),
                   tool.Tool(arguments.culprit, work, arguments.jobs))


def add_options(parser, folder):
    """Those of every script about real programs."""
    parser.add_argument("names", nargs="*", metavar="PROGRAM")
    parser.add_argument("--culprit", type=Path,
                        default=examples.ROOT / "build" / "release" / "bin" / "culprit")
    parser.add_argument("--compiler", type=Path, metavar="CULPRIT",
                        help="the one that built the programs already, if another")
    parser.add_argument("--work", type=Path, default=examples.ROOT / "build" / folder)
    parser.add_argument("--sources", type=Path, default=injection.fetch.default_cache())
    parser.add_argument("--jobs", type=int, default=2, help="culprit's own -j")
    parser.add_argument("--table", type=Path, metavar="FILE")


def usable(arguments, script):
    """Makes paths absolute; says what is wrong with them."""
    arguments.work, arguments.culprit = arguments.work.resolve(), arguments.culprit.resolve()
    arguments.compiler = arguments.compiler.resolve() if arguments.compiler else None
    unknown = [name for name in arguments.names if name not in NAMES]
    if unknown or not arguments.culprit.exists():
        problem = f"there is no {unknown[0]}" if unknown else f"{arguments.culprit} does not exist"
        print(f"{script}: error: {problem}", file=sys.stderr)
        return False
    return True


def measure_all(arguments, programs, measured, page):
    """Measures each program (`measured(name, known)`: its result and whether that is as it should be) and writes the
    page again after each. Returns the exit code."""
    stored = arguments.table.with_suffix(".json") if arguments.table else None
    known = json.loads(stored.read_text()) if stored and stored.exists() else {}
    failed = False
    for name in arguments.names or programs:
        try:
            known[name], is_good = measured(name, known.get(name, {}))
        except injection.fetch.Skip as skip:
            print(f"skipped: {skip}")
            return injection.fetch.SKIPPED
        except (Failed, injection.build.BuildError, injection.fetch.FetchError) as error:
            print(f"{name}: failed: {error}", flush=True)
            failed = True
            continue
        failed |= not is_good
        if arguments.table:
            write(stored, json.dumps(known, indent=1) + "\n")
            write(arguments.table, page(known))
    return 1 if failed else 0
