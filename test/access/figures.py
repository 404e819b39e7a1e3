#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are access sets small and stable? Measures it on real programs and writes docs/access-sets.md.

Each program is trained on its inputs; `show` gives the distributions of the sizes of access sets, of
their similarity from run to run, and of the objects of a site: what the first two figures of the AccMon
paper have, and the inverse of its section on extensions.

Exit codes: 0 measured; 1 a program failed; 2 wrong use; 77 skipped (no network).
"""

import argparse
import sys

import example  # noqa: F401: where the next ones are found
from table import row  # before real: test/programs has a table, too

import real

INPUTS = 30
PROGRAMS = ("bc", "dc", "gawk", "lua", "luac", "make", "sqlite3", "tar")
SIZES = (1, 2, 4, 9, 16, 32)
SIMILARITIES = (1.0, 0.97, 0.9, 0.75, 0.5)


def at_most(steps, key, bound):
    """The share of what is no larger; steps are cumulative."""
    return max((step["share"] for step in steps if step[key] <= bound + 1e-9), default=0.0)


def at_least(steps, key, bound):
    """The share of what is no smaller."""
    return max((step["share"] for step in steps if step[key] >= bound - 1e-9), default=0.0)


def measured(name, arguments):
    """Trains and shows."""
    program = real.program(name, arguments)
    inputs = program.inputs("train", INPUTS, 1)
    model = program.culprit.work / f"{name}.model"
    program.train(model, inputs)
    shown = program.culprit.ask("show", model)
    if shown.document is None or "access" not in shown.document:
        raise real.Failed(f"{shown.command} has no access sets\n{shown.output[-2000:]}")
    access = shown.document["access"]
    return {"all": distributions(access), "globals": distributions(access["globals"])}


def distributions(access):
    """The points of the curves that the page has."""
    return {
        **{key: access[key] for key in ("objects", "sites", "pairs")},
        "sizes": [at_most(access["accset_size_cdf"], "size", bound) for bound in SIZES],
        "similarities": [at_least(access["similarity_cdf"], "similarity", bound) for bound in SIMILARITIES],
        "inverse": [at_most(access["objects_per_site_cdf"], "objects", bound) for bound in SIZES],
    }


def shares(values):
    """As percentages."""
    return [f"{100 * value:.0f}" for value in values]


def table(known, kind, key, heads, counted=()):
    """One row for each program."""
    yield row(["program", *counted, *heads])
    yield row(["---"] * (1 + len(counted) + len(heads)))
    for name, result in sorted(known.items()):
        chosen = result[kind]
        yield row([name, *(f"{chosen[count]:,}" for count in counted), *shares(chosen[key])])


def page(known):
    """docs/access-sets.md"""
    sizes = [f"≤ {bound}" for bound in SIZES]
    similarities = [f"≥ {bound:g}" for bound in SIMILARITIES]
    counted = ("objects", "sites", "pairs")
    lines = ["# How large and how stable access sets are",
             f"Made by `test/access/figures.py --table`; do not edit. Programs of Debian after {INPUTS} training"
             " runs, writes only. An object is a name: with its members where the type is known"
             " (docs/access.md); shares in %."]
    for kind, title in (("globals", "Globals"), ("all", "Globals, blocks, locals and return slots")):
        lines += ["", f"## {title}", "Objects with at most so many sites:", "",
                  *table(known, kind, "sizes", sizes, counted), "",
                  "Objects whose similarity (sites that all runs have in common, by sites that any has; of the"
                  " runs that touched it) is at least this:", "",
                  *table(known, kind, "similarities", similarities)]
    lines += ["", "## Objects of a site", "Sites that write at most so many objects, of any kind:", "",
              *table(known, "all", "inverse", sizes)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    real.add_options(parser, "access-training")
    arguments = parser.parse_args()
    if not real.usable(arguments, "figures.py"):
        return 2

    def measured_anew(name, _):
        result = measured(name, arguments)
        print(f"{name}: {result}", flush=True)
        return result, True

    return real.measure_all(arguments, PROGRAMS, measured_anew, page)


if __name__ == "__main__":
    sys.exit(main())
