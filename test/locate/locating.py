# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls `culprit locate` on one run and judges its JSON by the answers; knows the contract's keys alone.

Used for the examples (run.py) and for programs of Debian with a bug put back (real/run.py).
"""

import json
import os
import shlex
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from example import Place

LIMIT = 600  # seconds for one call, all executions of it


@dataclass(frozen=True)
class Located:
    """What one call of `culprit locate` gave."""

    words: tuple[str, ...]
    code: int
    document: dict  # empty if none was written
    output: str
    seconds: float

    @property
    def places(self):
        """The reported statements, best first."""
        return [Place(Path(place.get("file") or "?").name, place.get("line") or 0)
                for place in self.document.get("first_corruption") or []]

    @property
    def executions(self):
        """Of the program, as culprit counts them."""
        return self.document.get("executions")

    def told(self):
        """The call to type again and the end of what it said."""
        said = "\n".join("    " + line for line in self.output.splitlines()[-25:])
        return f"(exit code {self.code})\n  $ {shlex.join(self.words)}\n{said}"


def environment(work):
    """Flavours are made anew for a new folder: a test must not find those of another run."""
    return {**os.environ, "XDG_CACHE_HOME": str(work / "cache"), "NO_COLOR": "1"}


def locate(culprit, program, how, work, folder=None, more=()):
    """One run of a bad or good input; `folder` is where the program is run, if not in `work`; `more` are options."""
    path = work / f"{Path(program).name}.json"
    path.unlink(missing_ok=True)
    words = [str(culprit), "locate", *more, "--json", str(path), "--", str(program), *how.get("arguments", [])]
    begun = time.monotonic()
    try:
        done = subprocess.run(words, text=True, errors="replace", input=how.get("stdin", ""),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder or work,
                              env=environment(work) | how.get("environment", {}), timeout=LIMIT, check=False)
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        code, output = -1, f"no end after {LIMIT} seconds"
    seconds = time.monotonic() - begun
    try:
        document = json.loads(path.read_text()) if path.exists() else {}
    except json.JSONDecodeError as error:
        document, output = {}, f"{output}\nthe JSON is broken: {error}"
    return Located(tuple(words), code, document, output, seconds)


def judged(located, answer, most, name):
    """(what the table shows, problems) of a bad input; `most` executions are allowed, None: any number."""
    places = located.places
    right = [rank for rank, place in enumerate(places, 1) if place in answer.right]
    result = {"reported": str(places[0]) if places else located.document.get("outcome", "nothing"),
              "rank": right[0] if right else None, "first": str(answer.first),
              "is_error": bool(places) and places[0] in answer.error,
              "executions": located.executions, "seconds": round(located.seconds, 2)}
    problems = []
    if located.code != 1 or located.document.get("outcome") != "located":
        problems.append(f"{name}: not located {located.told()}")
    elif result["rank"] != 1:
        rank = f"; the right one is the {right[0]}th" if right else ""
        problems.append(f"{name}: {places[0] if places else 'nothing'} is reported, right is "
                        f"{' or '.join(map(str, answer.right))}{rank} {located.told()}")
    if most is not None and isinstance(located.executions, int) and located.executions > most:
        problems.append(f"{name}: {located.executions} executions, at most {most} are allowed")
    return result, problems


def judged_all(located, answer, name):
    """Problems of a bad input with several errors, all of which are asked for: each marked line is a finding's first."""
    found = set()
    for finding in located.document.get("findings") or []:
        first = (finding.get("first_corruption") or [{}])[0]
        found.add(Place(Path(first.get("file") or "?").name, first.get("line") or 0))
    return [] if found == set(answer.right) else [
        f"{name}: all errors are {', '.join(map(str, sorted(found))) or 'none'}, right is "
        f"{', '.join(map(str, sorted(answer.right)))} {located.told()}"]


def judged_good(located, name):
    """Problems of a good input."""
    fine = located.code == 0 and located.document.get("outcome") == "no-corruption" and not located.places
    return [] if fine else [f"{name}: something is found in a good run {located.told()}"]
