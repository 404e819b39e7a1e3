# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls `culprit locate` on one run and judges its JSON by the answers; knows the contract's keys alone.

Used for the examples (run.py) and for programs of Debian with a bug put back (real/run.py).
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import example
from example import Place

sys.path.append(str(example.HERE.parent / "heap"))
import timed_call  # noqa: E402
from timed_call import environment  # noqa: E402,F401


@dataclass(frozen=True)
class Located(timed_call.TimedCall):
    """What one call of `culprit locate` gave."""

    @property
    def places(self):
        """The reported statements, best first."""
        return [Place(Path(place.get("file") or "?").name, place.get("line") or 0)
                for place in self.document.get("first_corruption") or []]

    @property
    def executions(self):
        """Of the program, as culprit counts them."""
        return self.document.get("executions")


def locate(culprit, program, how, work, folder=None, more=()):
    """One run of a bad or good input; `folder` is where the program is run, if not in `work`; `more` are options."""
    path = work / f"{Path(program).name}.json"
    words = [culprit, "locate", *more, "--json", path, "--", program, *how.get("arguments", [])]
    return timed_call.call(Located, words, path, work, folder, how.get("stdin", ""), how.get("environment"))


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
