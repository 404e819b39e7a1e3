# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls culprit as a user would and reads its JSON; knows the contract's keys and nothing else.

Every call is kept with its command line, so that a failed expectation can say what to type.
"""

import json
import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Answer:
    """What one call of culprit gave."""

    words: tuple[str, ...]
    code: int
    document: dict | None  # the JSON, if it was written
    output: str  # what it printed, messages included

    @property
    def command(self):
        """The call, to be typed again."""
        return shlex.join(self.words)

    @property
    def runs(self):
        """The runs of the document."""
        return (self.document or {}).get("runs", [])


class Tool:
    """culprit, with its flavours cached below one folder."""

    def __init__(self, culprit, work, jobs=1):
        self.culprit = Path(culprit).resolve()
        self.work = Path(work).resolve()
        self.jobs = jobs
        self.calls = 0

    def compiler(self):
        """The words that compile C and C++."""
        return {"C": (str(self.culprit), "cc"), "C++": (str(self.culprit), "c++")}

    def environment(self):
        """Flavours are made anew for a new folder: a test must not find those of another run."""
        return {**os.environ, "XDG_CACHE_HOME": str(self.work / "cache"), "NO_COLOR": "1"}

    def run(self, *words, limit=1800):
        """Any command; JSON is not asked for."""
        done = subprocess.run(
            [str(self.culprit), *map(str, words)], env=self.environment(), cwd=self.work,
            text=True, errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=limit, check=False,
        )
        return Answer((str(self.culprit), *map(str, words)), done.returncode, None, done.stdout)

    def ask(self, command, *words, program=()):
        """train, check or show with a JSON document."""
        self.calls += 1
        path = self.work / f"{command}-{self.calls}.json"
        path.unlink(missing_ok=True)
        words = [command, *words, "--json", path]
        if program:
            words += ["-j", self.jobs, "--", *program]
        answer = self.run(*words)
        document = json.loads(path.read_text()) if path.exists() else None
        return Answer(answer.words, answer.code, document, answer.output)


def findings(answer):
    """Every finding of every run, in order."""
    return [finding for run in answer.runs for finding in run.get("findings", [])]


def plain_name(function):
    """`space::Type::name(parameters) const` is `name`; `(anonymous namespace)::` goes first."""
    text = function.replace("(anonymous namespace)", "anonymous")
    text = re.sub(r"\(.*", "", text)
    while (bare := re.sub(r"<[^<>]*>", "", text)) != text:
        text = bare
    return text.strip().split(" ")[-1].split("::")[-1]


def named_functions(finding, limit=3):
    """The first distinct functions a finding names: where it is, then its suspects."""
    functions = [(finding.get("location") or {}).get("function")]
    functions += [suspect.get("function") for suspect in finding.get("suspects", [])]
    names = []
    for function in functions:
        name = plain_name(function) if function else ""
        if name and name not in names:
            names.append(name)
    return names[:limit]  # all, if the limit is None
