# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One call of a command of culprit that writes a JSON document, with a limit and how long it took: for locate and explain,
whose calls may go on for long and may fail."""

import json
import os
import shlex
import subprocess
import time
from dataclasses import dataclass

LIMIT = 600  # seconds for one call


@dataclass(frozen=True)
class TimedCall:
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


def call(kind, words, document, work, folder=None, stdin="", more=None):
    """`kind` is TimedCall or a class of it; `document` the file that the words ask for; the program is run in `folder`,
    if not in `work`; `more` is added to the environment."""
    document.unlink(missing_ok=True)
    words = tuple(map(str, words))
    begun = time.monotonic()
    try:
        done = subprocess.run(words, text=True, errors="replace", input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=folder or work, env=environment(work) | (more or {}),
                              timeout=LIMIT, check=False)
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        code, output = -1, f"no end after {LIMIT} seconds"
    seconds = time.monotonic() - begun
    try:
        read = json.loads(document.read_text()) if document.exists() else {}
    except json.JSONDecodeError as error:
        read, output = {}, f"{output}\nthe JSON is broken: {error}"
    return kind(words, code, read, output, seconds)
