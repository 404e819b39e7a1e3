# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of examples/access: what they are, how they are built, their inputs, who is guilty.

The answer is in the sources: `// guilty: FUNCTION why` at the end of the guilty line.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLES = ROOT / "examples" / "access"
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "heap"))

import subject


def manifest():
    """The entries of examples.json, by name."""
    return subject.manifest(EXAMPLES)


def generator():
    """The module examples/access/generate.py, whose name the heap examples have too."""
    import importlib.util
    specification = importlib.util.spec_from_file_location("access_generate", EXAMPLES / "generate.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Guilt:
    """Where the bug is."""

    file: str
    line: int
    function: str


def guilt(entry):
    """The one marked line of an example."""
    found = []
    for source in subject.sources(entry):
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if match := re.search(r"// guilty: (\w+) ", line):
                found.append(Guilt(source.name, number, match.group(1)))
    if len(found) != 1 or found[0].function != entry["guilty"]:
        raise ValueError(f"{entry['name']}: examples.json and the sources name different guilty functions")
    return found[0]


def bad_inputs(name):
    """What each bad input has, in the order of their files."""
    return generator().inputs_of(name).BAD


def write_inputs(name, folder):
    """Writes an example's inputs unless they are there."""
    sources = [EXAMPLES / name / "inputs.py", EXAMPLES / "generate.py", EXAMPLES.parent / "heap" / "generate.py"]
    stamp = "".join(source.read_text() for source in sources)
    done = folder / ".done"
    if not done.exists() or done.read_text() != stamp:
        generator().generate(name, folder)
        done.write_text(stamp)
    return folder
