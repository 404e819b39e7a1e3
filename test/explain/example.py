# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of examples/explain: a passing and a failing run each, and the answer in the source.

`// culprit: cause NAME…` stands on the guilty line: a step of the chain must name one of these variables (or members).
`// culprit: failure` stands on the line of a crash, where the chain must end. Without it the failure is a wrong output.
"""

import json
import re
import shlex
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLES = ROOT / "examples" / "explain"


def manifest():
    """All of them, by name."""
    return {entry["name"]: entry for entry in json.loads((EXAMPLES / "examples.json").read_text())["examples"]}


def marks(entry):
    """({names}, guilty line, line of the crash or None)."""
    names, guilty, crash = set(), None, None
    for number, line in enumerate((EXAMPLES / entry["name"] / entry["source"]).read_text().splitlines(), 1):
        if found := re.search(r"// culprit: cause\s+(.+)$", line):
            names, guilty = set(found[1].split()), number
        if "// culprit: failure" in line:
            crash = number
    if not names:
        raise ValueError(f"{entry['name']}: no line is marked as the cause")
    return names, guilty, crash


def case(how, path):
    """A case as the command line has it; standard input is put into a file."""
    text = shlex.join(how.get("arguments", []))
    if "stdin" in how:
        path.write_text(how["stdin"])
        text += f" < {shlex.quote(str(path))}"
    return text


def parts(name):
    """The identifiers in a name: those of `p->next->val` are p, next and val."""
    return set(re.findall(r"[A-Za-z_]\w*", name))
