# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/locate-examples.md, made from the .json beside it, which run.py and other_tools.py fill."""

import sys

import example as examples

sys.path.append(str(examples.HERE.parent / "heap"))

from table import kept, replace_part, row  # noqa: kept is used by run.py

TOOLS = (("asan", "AddressSanitizer"), ("memcheck", "memcheck"))
LEVELS = ("-O2", "-O0")

INTRODUCTION = """\
# First points of memory corruption
Made by `test/locate/run.py --table` and `test/locate/other_tools.py --table`; do not edit.

Each program of `examples/locate/` has one error, and the answer is marked in its source. *Reported* is
the statement that `culprit locate` names first; it is right if it is the marked line, or the other one
where two are marked. *Executions* counts all executions of the program that the answer took, beside it
what the paper's tool needed at most for this kind of error (4 for kinds it has no program of). Of the
other tools, *the line* is a report whose first frame in the program is a right line, *named* one that has
a right line further down (a stack of the free or of the allocation), *elsewhere* one that has none,
*crash* the signal alone, and *does not end* a run that was given up.
"""


def update(path, part, results):
    """Of this page."""
    replace_part(path, part, results, page)


def rank(seen):
    """Whether it is right."""
    if seen["rank"] == 1:
        return "yes"
    if seen["rank"]:
        return f"no: the {seen['rank']}th is"
    return "no: the error's line" if seen.get("is_error") else "no"


def rows(known, level, silent):
    """One row for each bad input."""
    yield row(["program", "what", "kind", "language", "reported", "right?", "executions", "paper's",
               "time", *(title for _, title in TOOLS)])
    yield row(["---"] * (9 + len(TOOLS)))
    for name, entry in examples.manifest().items():
        if examples.is_silent(entry) != silent:
            continue
        seen_all = known.get("examples", {}).get(f"{name} {level}", {}).get("bad", [])
        for number in range(len(entry["bad"])):
            seen = seen_all[number] if number < len(seen_all) else None
            said = known.get("tools", {}).get(name, {})
            tools = [said[key][number] if len(said.get(key, [])) > number else "?" for key, _ in TOOLS]
            what = [seen["reported"], rank(seen), str(seen["executions"])] if seen else ["not run", "–", "–"]
            first = ([name + (" (long)" if entry.get("long") else ""), entry["what"], entry["kind"],
                      entry["language"]] if number == 0 else [""] * 4)
            yield row([*first, *what, "–" if silent else str(entry["executions"]),
                       f"{seen['seconds']:.1f} s" if seen else "–", *tools])


def figures(known, level):
    """How many are right."""
    results = [result for result in known.get("examples", {}).values() if result["level"] == level]
    for silent, title in ((False, "crashing"), (True, "silent")):
        some = [seen for result in results if result["silent"] == silent for seen in result["bad"]]
        right = sum(1 for seen in some if seen["rank"] == 1)
        if some:
            yield f"{right} of {len(some)} {title} inputs"
    fine = sum(1 for result in results
               if not any("good input" in problem for problem in result["problems"]))
    if results:
        yield f"good inputs without a finding in {fine} of {len(results)} programs"


def page(known):
    """The whole page."""
    parts = [INTRODUCTION]
    for level in LEVELS:
        if not any(result["level"] == level for result in known.get("examples", {}).values()):
            if level != LEVELS[0]:
                continue
        said = "; ".join(figures(known, level))
        parts.append(f"\n## {level}\n" + (f"Right: {said}.\n" if said else ""))
        parts.append("\n" + "\n".join(rows(known, level, False)) + "\n")
        parts.append(f"\n### Silent at {level}: nothing crashes until variables are in another order\n\n"
                     + "\n".join(rows(known, level, True)) + "\n")
    return "".join(parts)
