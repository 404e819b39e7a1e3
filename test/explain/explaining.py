# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls `culprit explain` and reads its JSON; knows the contract's keys alone. Used for the examples and for programs of
Debian with an error put in."""

import json
import os
import shlex
import subprocess
import time
from dataclasses import dataclass

import example as examples

LIMIT = 600  # seconds for one call


@dataclass(frozen=True)
class Explained:
    """What one call gave."""

    words: tuple[str, ...]
    code: int
    document: dict  # empty if none was written
    output: str
    seconds: float

    def told(self):
        """The call to type again and the end of what it said."""
        said = "\n".join("    " + line[:300] for line in self.output.splitlines()[-40:])
        return f"(exit code {self.code})\n  $ {shlex.join(self.words)}\n{said}"


def environment(work):
    """Flavours are made anew for a new folder: a test must not find those of another run."""
    return {**os.environ, "XDG_CACHE_HOME": str(work / "cache"), "NO_COLOR": "1"}


def explain(culprit, words, work, folder=None):
    """`words` come behind the options for the report."""
    path = work / "report.json"
    path.unlink(missing_ok=True)
    call = [str(culprit), "explain", "--json", str(path), *map(str, words)]
    begun = time.monotonic()
    try:
        done = subprocess.run(call, text=True, errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=folder or work, env=environment(work), timeout=LIMIT,
                              check=False)
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        code, output = -1, f"no end after {LIMIT} seconds"
    seconds = time.monotonic() - begun
    try:
        document = json.loads(path.read_text()) if path.exists() else {}
    except json.JSONDecodeError as error:
        document, output = {}, f"{output}\nthe JSON is broken: {error}"
    return Explained(tuple(call), code, document, output, seconds)


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
