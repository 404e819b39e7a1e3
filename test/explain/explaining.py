# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls `culprit explain` and reads its JSON; knows the contract's keys alone. Used for the examples and for programs of
Debian with an error put in."""

import os
import sys

import example as examples

sys.path.append(str(examples.HERE.parent / "heap"))
import timed_call  # noqa: E402
from timed_call import environment  # noqa: E402,F401


def explain(culprit, words, work, folder=None):
    """`words` come behind the options for the report."""
    path = work / "report.json"
    return timed_call.call(timed_call.TimedCall, [culprit, "explain", "--json", path, *words], path, work, folder)


def named_at(document, names):
    """(position in the chain, "file:line", variable) of the first step that names one of these; None: none does."""
    for position, step in enumerate(document.get("transitions", []), 1):
        for variable in step["variables"]:
            if examples.parts(variable["name"]) & names:
                place = step["location"]
                return position, f"{os.path.basename(place['file'])}:{place['line']}", variable["name"]
    return None


def summary(explained):
    """What the table shows of any chain."""
    document = explained.document
    steps = document.get("transitions", [])
    return {"steps": len(steps), "smallest": min((len(step["variables"]) for step in steps), default=0),
            "tests": document.get("tests"), "differences": document.get("most_differences"),
            "symbolic": document.get("symbolic", {}).get("most_differences"),
            "aliases": document.get("symbolic", {}).get("most_aliases"),
            "seconds": round(document.get("seconds", explained.seconds), 1)}
