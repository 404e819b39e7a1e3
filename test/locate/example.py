# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of examples/locate: what they are, how they are built and run, and the answers.

The answers are in the sources, at the end of the line they are about:
    // culprit: first corruption    the statement that locate shall report
    // culprit: also right          another one that is as right
    // culprit: the error           what the programmer did wrong, if that is another line
"""

import json
import os
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLES = ROOT / "examples" / "locate"

LIMIT = 60  # seconds for a plain run; the longest takes less than one
ENDLESS = -1000  # the exit code of a run that was given up
MARK = re.compile(r"// culprit: (first corruption|also right|the error)")


@dataclass(frozen=True, order=True)
class Place:
    """A line of a source."""

    file: str
    line: int

    def __str__(self):
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Answer:
    """What is right about one example."""

    first: Place
    also: tuple[Place, ...]
    error: tuple[Place, ...]

    @property
    def right(self):
        """Every place that is right."""
        return (self.first, *self.also)


def manifest():
    """The entries of examples.json, by name, each with its folder."""
    entries = json.loads((EXAMPLES / "examples.json").read_text())["examples"]
    return {entry["name"]: entry | {"folder": EXAMPLES / entry["name"]} for entry in entries}


def answer_in(paths):
    """The marks of some sources, headers included."""
    found = {"first corruption": [], "also right": [], "the error": []}
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="latin-1").splitlines(), 1):
            for mark in MARK.findall(line):
                found[mark].append(Place(path.name, number))
    if len(found["first corruption"]) != 1:
        raise ValueError(f"{paths[0].parent}: {len(found['first corruption'])} lines are marked as the "
                         "first corruption")
    return Answer(found["first corruption"][0], tuple(found["also right"]), tuple(found["the error"]))


def answer(entry):
    """The marks in an example's sources."""
    return answer_in(sorted(path for path in entry["folder"].iterdir() if path.suffix in (".c", ".cpp", ".h")))


def is_silent(entry):
    """Whether the plain run of a bad input ends as if nothing had happened."""
    return entry["crash"] == "silent"


def compile_words(entry, compiler, level, output):
    """The command that builds an example; `compiler` gives the words for C and for C++."""
    words = [*compiler[entry["language"]], level, "-g", "-Wall", "-Wextra", "-Werror"]
    words += ["-std=c++20"] if entry["language"] == "C++" else []
    words += entry.get("flags", [])
    return [*words, *(str(entry["folder"] / file) for file in entry["files"]), "-o", str(output)]


def linked_dynamically(entry):
    """As other tools need it."""
    return entry | {"flags": [flag for flag in entry.get("flags", []) if flag != "-static"]}


def run(words, how, environment=None, limit=LIMIT):
    """A run of a bad or good input: (exit code as subprocess has it, what it printed)."""
    try:
        done = subprocess.run([*map(str, words), *how.get("arguments", [])], text=True, errors="replace",
                              input=how.get("stdin", ""), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, **(environment or {})}, timeout=limit, check=False)
    except subprocess.TimeoutExpired as ended:
        printed = ended.stdout or b""
        return ENDLESS, printed if isinstance(printed, str) else printed.decode(errors="replace")
    return done.returncode, done.stdout


def ending(code):
    """How a run ended, in the words of examples.json."""
    if code == ENDLESS:
        return "endless"
    if code < 0:
        # A wild address in rbp gives SIGBUS: a register's choice, which says nothing.
        return signal.Signals(-code).name.replace("SIGBUS", "SIGSEGV")
    return "silent" if code == 0 else f"exit {code}"
