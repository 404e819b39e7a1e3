# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/locate-real.md, made from the .json beside it, which run.py fills, one error at a time."""

from pathlib import Path

from page import rank, replace_part, row

import put_back as bugs

INTRODUCTION = """\
# Errors put back into real programs
Made by `test/locate/real/run.py --table`; do not edit.

Each error is put back into a program of Debian by a small edit at test time (`test/locate/real/put_back.py`), and
the program is built as it is built for [real-programs.md](real-programs.md). *Reported* is the statement that
`culprit locate` names first. *Executions* counts all that the answer took, beside it the most that are allowed: what
the paper's tool needed for this kind of error. *Distance* is how many dependences lie between the reported statement
and the edit: 0 is the statement itself, 1 the condition that should have kept from it, or the use of what it made (the
paper has 0 to 5). *Time* is that of locating, with the flavours made before, on a machine that was doing other things
as well.
The *good* input is located, too: nothing must be found.
"""


def update(path, results):
    """Puts results into the page."""
    replace_part(Path(path), "errors", results, page)


def cells(name, bug, seen):
    """Of one error."""
    most = "–" if bug.executions is None else str(bug.executions)
    head = [name, bug.what, bug.kind]
    if not seen:
        return [*head, "not run", "–", "–", most, str(bug.distance), "–", "–"]
    return [*head, seen["reported"], rank(seen), str(seen["executions"]), most, str(bug.distance),
            f"{seen['seconds']:.0f} s", "nothing" if seen["good"] else "**something**"]


def page(known):
    """The whole page."""
    errors = known.get("errors", {})
    lines = [INTRODUCTION, row(["error", "what", "kind", "reported", "right?", "executions", "allowed", "distance",
                                "time", "good input"]), row(["---"] * 10)]
    lines += [row(cells(name, bug, errors.get(name))) for name, bug in bugs.BUGS.items()]
    return "\n".join(lines) + "\n"
