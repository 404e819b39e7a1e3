# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/explain-examples.md, made from the .json beside it, which run.py and real/run.py fill."""

import sys

import example as examples

sys.path.append(str(examples.HERE.parent / "heap"))

from table import kept as kept_problems, replace_part, row

INTRODUCTION = """\
# Failures and what `culprit explain` says of them
Made by `test/explain/run.py --table` and `test/explain/real/run.py --table`; do not edit.

Each program of `examples/explain/` has one error, and the guilty line and its variable are marked in the source. *Named* is
the first step of the chain that has this variable. *Passing run*: another input, or the version before the error.
*Differences* are the most at one point, by memory index and by symbolic path (`--align symbolic`); *aliases* are those of
the latter that have more than one path. *Smallest* is the smallest set that was found at a step.
"""

REAL = """
## Programs of Debian
The error is put into the source by `test/explain/real/errors.py`; the passing run is the program without it.

"""

ALIGNED = """
## How much of two runs corresponds
The same program with an input and with that input cut to a part of its lines (the paper's Figure 12): points that correspond,
and of accesses at such points those that go to the same place, by memory index and by address. Addresses are fixed, so that runs that
allocate the same have it in the same places; lua has a fixed seed for its hashes.

"""


def update(path, part, results):
    """Of this page."""
    replace_part(path, part, results, page)


def kept(result):
    """Without what names this machine."""
    return {key: value for key, value in kept_problems(result).items() if key != "output"}


def shown(value):
    """A number, or a dash."""
    return "–" if value is None else str(value)


def rows(entries, results):
    """One row for each program."""
    titles = ["program", "what", "kind", "language", "passing run", "guilty line", "named", "steps", "smallest", "tests",
              "differences", "symbolic", "aliases", "time"]
    yield row(titles)
    yield row(["---"] * len(titles))
    for entry in entries:
        result = results.get(entry["name"], {})
        seen = result.get("seen", {})
        yield row([entry["name"], entry["what"], entry["kind"], entry["language"],
                   "older version" if "older" in entry else "another input", seen.get("guilty", "–"),
                   seen.get("named") or ("**missed**" if result else "not run"),
                   *(shown(seen.get(key)) for key in ("steps", "smallest", "tests", "differences", "symbolic", "aliases")),
                   f"{seen['seconds']} s" if seen else "–"])


def aligned_rows(results):
    """One row for each cut."""
    titles = ["program", "kept of the input", "points", "heap by index", "heap by address", "stack by index",
              "stack by address"]
    yield row(titles)
    yield row(["---"] * len(titles))
    for name, cuts in results.items():
        for cut, shares in cuts.items():
            yield row([name, f"{cut} %", *(f"{100 * shares[key]:.1f} %" for key in (
                "control_flow", "heap_mi", "heap_address", "stack_mi", "stack_address"))])


def page(known):
    """The whole page."""
    results = known.get("examples", {})
    right = sum(1 for result in results.values() if not result["problems"])
    text = INTRODUCTION + f"\nRight: {right} of {len(results)}.\n\n" + "\n".join(
        rows(examples.manifest().values(), results)) + "\n"
    if "real" in known:
        text += REAL + "\n".join(rows([result["entry"] for result in known["real"].values()], known["real"])) + "\n"
    if "aligned" in known:
        text += ALIGNED + "\n".join(aligned_rows(known["aligned"])) + "\n"
    return text
