# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/access-examples.md, made from the .json beside it, which run.py and other_tools.py fill."""

import example as examples

from table import kept, replace_part, row

TOOLS = (("asan", "AddressSanitizer"), ("bounds", "UBSan bounds"), ("memcheck", "memcheck"))

INTRODUCTION = """\
# Access bugs and who sees them
Made by `test/access/run.py --table` and `test/access/other_tools.py --table`; do not edit.

Each program of `examples/access/` has the error of one of the programs of AccMon's Table 3, but for those after –. The model
is learned from {training} good inputs of the buggy program, writes only. *Rank* is the place of the first
finding on the guilty line or in its function, among all findings of the run; *elsewhere* counts the
others of that run: consequences of the bug, since after the fix they are gone. *False alarms* are
findings on {held} held-out good inputs and on the bad inputs once the bug is fixed. Of the other tools,
*seen* is a report about the guilty access, *crash later* one of what the bug did to the program.
"""


def update(path, part, results):
    """Of this page."""
    replace_part(path, part, results, page)


def rank(seen):
    """Rank of the guilty place."""
    if seen is None:
        return "not run"
    if not seen["rank"]:
        return "missed" + (f" ({len(seen['noted'])} notes)" if seen["noted"] else "")
    return f"{seen['rank']} of {seen['findings']}, " + ("line" if seen["exact"] else "function")


def number(value):
    """As the page shows it."""
    return f"{value:,.3g}" if isinstance(value, (int, float)) else "–"


def rows(known):
    """One row for each bad input."""
    yield row(["program", "after", "bug", "bad input", "culprit: rank", "confidence", "raw",
               "elsewhere", *(title for _, title in TOOLS)])
    yield row(["---"] * (8 + len(TOOLS)))
    for name, entry in examples.manifest().items():
        result = known.get("examples", {}).get(name, {})
        tools = known.get("tools", {}).get(name, {})
        for index, title in enumerate(examples.bad_inputs(name)):
            seen = result["bad"][index] if len(result.get("bad", [])) > index else None
            said = [tools[key][index] if key in tools else "?" for key, _ in TOOLS]
            first = [name, entry["paper"], entry["bug"]] if index == 0 else ["", "", ""]
            yield row([*first, title, rank(seen), number(seen and seen["confidence"]),
                       number(seen and seen["raw_confidence"]),
                       str(len(seen["elsewhere"])) if seen else "–", *said])


def alarms(known):
    """False alarms of each example."""
    yield row(["program", "training runs", "held-out runs reported", "notes there",
               "findings after the fix", "notes there"])
    yield row(["---"] * 6)
    for name in examples.manifest():
        result = known.get("examples", {}).get(name, {})
        held, fixed = result.get("held_out"), result.get("fixed")
        yield row([name, str(result.get("training_runs", "not run")),
                   f"{held['reported']} of {held['runs']}" if held else "not run",
                   str(held["notes"]) if held else "–",
                   f"{len(fixed['findings'])} in {fixed['runs']} runs" if fixed else "not run",
                   str(fixed["notes"]) if fixed else "–"])


def only_culprit(known):
    """Bad inputs that no other tool has a word about, and those where none sees the access."""
    silent, late, blind = [], [], {key: [] for key, _ in TOOLS}
    for name in examples.manifest():
        tools = known.get("tools", {}).get(name, {})
        bad = known.get("examples", {}).get(name, {}).get("bad", [])
        for seen, *said in zip(bad, *(tools.get(key, []) for key, _ in TOOLS)):
            for (key, _), word in zip(TOOLS, said):
                if seen["rank"] and word == "nothing":
                    blind[key].append(f"{name} ({seen['title']})")
            if seen["rank"] and not any(word.startswith("seen") for word in said):
                (silent if all(word == "nothing" for word in said) else late).append(
                    f"{name} ({seen['title']})")
    for key, title in TOOLS:
        yield f"Found by culprit, and {title} says nothing: {'; '.join(blind[key]) or 'none'}.\n"
    yield f"No other tool says anything: {'; '.join(silent) or 'none'}.\n"
    yield f"No other tool sees the access, only a crash after it: {'; '.join(late) or 'none'}.\n"


def still_open(known):
    """Why a bad input is missed."""
    for name, entry in examples.manifest().items():
        titles = examples.bad_inputs(name)
        for index, reason in entry.get("open", {}).items():
            yield f"Missed: {name}, {titles[int(index)]}: {reason}."


def page(known):
    """The whole text."""
    generator = examples.generator()
    introduction = INTRODUCTION.format(training=generator.TRAINING_RUNS, held=generator.HELD_OUT_RUNS)
    return "\n".join([introduction, *rows(known), "", *only_culprit(known), *still_open(known), "", "## False alarms", "",
                      *alarms(known)]) + "\n"
