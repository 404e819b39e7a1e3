# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/heap-examples.md, made from the .json beside it, which run.py and peers.py fill.

Neither script can make the whole table: peers.py needs valgrind, run.py --real the network. So each
puts its part into the .json, and the page is written from what is there.
"""

import json

import subject as subjects

PEERS = (("asan", "AddressSanitizer"), ("asan_leaks", "its leak check"), ("lsan", "LeakSanitizer"),
         ("memcheck", "memcheck"))

INTRODUCTION = """\
# Heap bugs and who sees them
Made by `test/heap/run.py --table` and `test/heap/peers.py --table`; do not edit.

Each program has one planted bug that only its bad input reaches and that never crashes. The model is
learned from good inputs of the buggy program; *held-out* are good inputs it has not seen. *Named* are
the first three functions that the first finding names; the guilty one is in bold. Every bad input is
checked again with the bug fixed, against the same model, and must be silent then.
"""


def replace_part(path, part, results, page_of):
    """Replaces one part of the results kept beside a page and writes the page again."""
    stored = path.with_suffix(".json")
    known = json.loads(stored.read_text()) if stored.exists() else {}
    known[part] = known.get(part, {}) | results
    write(stored, json.dumps(known, indent=1) + "\n")
    write(path, page_of(known))


def update(path, part, results):
    """Of this page."""
    replace_part(path, part, results, page)


def kept(result):
    """A result without the commands that were called: they hold this machine's paths."""
    return result | {"problems": [problem.split("\n")[0] for problem in result["problems"]]}


def write(path, text):
    """Whole or not at all."""
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(text)
    temporary.rename(path)


def row(cells):
    """One row of a markdown table."""
    return "| " + " | ".join(cells) + " |"


def percent(value):
    """A number as the page shows it."""
    return f"{value:.1f}" if isinstance(value, (int, float)) else "?"


def bounds(given):
    """A learned range, whichever of its two shapes the JSON has."""
    if isinstance(given, dict):
        given = [given.get("min", given.get("low")), given.get("max", given.get("high"))]
    return "–".join(percent(end) for end in given) if given else "?"


def found(result):
    """metric value (range)"""
    if not result.get("metric"):
        return "missed" if "problems" in result else "not run"
    return f"{result['metric']} {percent(result.get('value'))} ({bounds(result.get('range'))})"


def named(result):
    """The first three functions, the guilty one in bold; behind them its place, if it is further down."""
    names = ", ".join(f"**{name}**" if name == result["guilty"] else name
                      for name in result.get("named", []))
    if names and result["guilty"] not in result["named"]:
        names += f" (guilty: {result['rank']}th)" if result.get("rank") else " (guilty: not named)"
    return names or "–"


def reported(seen):
    """Runs with a finding, of those that should have none."""
    return f"{seen['reported']} of {seen['runs']}" if seen.get("runs") else "not run"


def silent(result):
    """Held-out runs, the fix, and the runs verified."""
    return [reported(result.get("held_out", {})), reported(result.get("fixed", {})),
            str(result.get("verified_runs") or "not run")]


def examples_table(known):
    """The examples of examples/heap."""
    yield row(["program", "bug", "figure", "culprit: metric, value (learned range), %", "named",
               "held-out runs reported", "reported after the fix", "runs verified",
               *(title for _, title in PEERS)])
    yield row(["---"] * (8 + len(PEERS)))
    for name, entry in subjects.manifest().items():
        result = {"guilty": entry["guilty"], **known.get("examples", {}).get(name, {})}
        peers = known.get("peers", {}).get(name, {})
        yield row([name, entry["bug"], entry["figure"], found(result), named(result),
                   *silent(result), *(peers.get(key, "?") or "nothing" for key, _ in PEERS)])


def injected_table(known):
    """Real programs with an injected bug."""
    yield row(["program and bug", "what was changed", "culprit: metric, value (learned range), %",
               "named", "held-out runs reported", "reported after the fix"])
    yield row(["---"] * 6)
    for name, result in sorted(known.items()):
        yield row([name, result.get("bug", ""), found(result), named({"guilty": "", **result}),
                   *silent(result)[:2]])
    for name, result in sorted(known.items()):
        if result.get("remark"):
            yield f"\n{name}: {result['remark']}."


def page(known):
    """The whole text."""
    lines = [INTRODUCTION, "## Examples", *examples_table(known)]
    if known.get("injected"):
        lines += ["", "## Real programs with an injected bug",
                  "Debian's sources, edited by `test/heap/inject/` at test time.", "",
                  *injected_table(known["injected"])]
    return "\n".join(lines) + "\n"
