# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the heap tests are about: a program with a planted bug, its inputs, and who is guilty.

A subject is one of the examples of examples/heap or a real program with an injected bug
(inject/injection.py). Both give the same: executables with and without the bug, folders of inputs,
the arguments, and the name of the guilty function.
"""

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLES = ROOT / "examples" / "heap"
sys.path.insert(0, str(EXAMPLES))

import generate

CXX_FLAGS = ("-std=c++20",)


@dataclass(frozen=True)
class Subject:
    """One program with one bug, built and with its inputs written."""

    name: str
    bug: str
    guilty: str  # the function's plain name
    buggy: Path
    fixed: Path
    inputs: Path  # with train/, held/ and bad/
    arguments: tuple[str, ...]  # `@@` is an input's path; without it the input is standard input


def manifest(folder=EXAMPLES):
    """The entries of examples.json, by name, each with its folder."""
    entries = json.loads((folder / "examples.json").read_text())["examples"]
    return {entry["name"]: entry | {"folder": folder / entry["name"]} for entry in entries}


def sources(entry):
    """Paths of an example's sources."""
    return [entry["folder"] / source for source in entry["sources"]]


def marked_functions(entry):
    """The functions named by the `// guilty: FUNCTION why` comments in an example's sources."""
    found = []
    for source in sources(entry):
        found += re.findall(r"// guilty: (\w+) ", source.read_text())
    return found


def compile_words(entry, compiler, fixed, output):
    """The command that builds an example; `compiler` gives the words for C and for C++."""
    words = list(compiler[entry["language"]])
    words += ["-O2", "-g", "-Wall", "-Wextra", "-Werror"]
    words += CXX_FLAGS if entry["language"] == "C++" else ()
    words += ["-DFIXED"] if fixed else []
    return [*words, *map(str, sources(entry)), "-o", str(output)]


def write_inputs(name, folder):
    """Writes an example's inputs unless they are there."""
    done = folder / ".done"
    stamp = (EXAMPLES / name / "inputs.py").read_text() + (EXAMPLES / "generate.py").read_text()
    if not done.exists() or done.read_text() != stamp:
        sys.dont_write_bytecode = True
        generate.generate(name, folder)
        done.write_text(stamp)
    return folder
