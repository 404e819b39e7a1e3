# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the table of real programs, as Markdown for people and JSON for programs.

Pure text in, pure text out, but for the two files at the end. No path and no host name goes in: the
files are committed.
"""

import datetime
import json
import os
import re
from pathlib import Path

_INTRO = """\
# Real programs

Written by `test/programs/run.py`; do not edit. Each program is built from its Debian source package
with plain clang 19 and with culprit, in the same folder, at the same flags. Then, with the build
tree moved away, its flavours are made from the culprit executable, and the program's own test suite
(or fixed pairs of input and output) runs against all of them. *trace* and *suppress* are those of
`culprit locate`: the first keeps ids of all values, the second suppresses, here an empty set.

- **tests**: passed / failed / skipped with plain clang 19. What fails there fails for reasons of
  the machine (a locale that is not installed, a read-only file that root may write all the same);
  the other variants must fail exactly the same tests.
- **culprit** and the flavours: `same` if every single test had plain clang's outcome.
- **sections**: every loaded section of culprit's executable equals plain clang's, byte for byte
  (the build id left out); **identity sections**: the same of the identity flavour.
- **build**: user and system time of the build, culprit's over clang's; one build each, one after
  the other, so read it with ±10 % on a quiet machine and ±30 % on a busy one
  (–: not measured side by side).
- **size**: the executable's file size, culprit's over clang's.
- **identity s** and so on: seconds of user and system time to make the flavours of all the
  program's executables; culprit spreads identity and base over the cores.

`./setup programs` installs what the programs need and makes this page again; a single program:
`test/programs/run.py --programs gzip`; a single flavour: `--flavours suppress` (what the page says
of the others is kept). `--control` puts clang itself in culprit's place, to tell a recipe's fault
from culprit's.
"""


def machine():
    """The machine in a few words, without its name."""
    cpu = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            cpu = line.split(":", 1)[1].strip()
            break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = "Linux"
    for line in Path("/etc/os-release").read_text().splitlines():
        if line.startswith("PRETTY_NAME="):
            system = line.split("=", 1)[1].strip('"')
    kernel = re.match(r"[\d.]+", os.uname().release)[0].rstrip(".")
    return f"{cpu}, {os.cpu_count()} cores, {memory:.0f} GiB, {system}, Linux {kernel}"


def _tests(result):
    counts = result["suites"]["plain"]["counts"]
    return f"{counts['pass']} / {counts['fail']} / {counts['skip']}"


def _verdict(result, variant):
    suite = result["suites"].get(variant)
    if suite is None:
        return "not run"
    if not suite["differences"]:
        return "same"
    return f"**{len(suite['differences'])} differ**"


def _equal(names):
    if names is None:
        return "not made"
    return "equal" if not names else "**" + ", ".join(names) + "**"


def _number(value, digits):
    return "–" if value is None else f"{value:.{digits}f}"


_FLAVOURS = ("identity", "base", "trace", "suppress")
_HEADS = ["program", "version", "language", "tests", "culprit", *_FLAVOURS, "sections",
          "identity sections", "build", "size", *(f"{name} s" for name in _FLAVOURS)]


def _row(result):
    for key, text in (("skipped", "skipped"), ("error", "**failed**")):
        if key in result:
            return f"| {result['program']} | {text} |" + " |" * (len(_HEADS) - 2)
    seconds = result["flavour_seconds"]
    cells = [
        result["program"], result["version"], result["language"], _tests(result),
        *(_verdict(result, variant) for variant in ("culprit", *_FLAVOURS)),
        _equal(result["sections_differing"]), _equal(result["identity_sections_differing"]),
        _number(result["build_ratio"], 2), _number(result["size_ratio"], 2),
        *(_number(seconds.get(name), 1) for name in _FLAVOURS),
    ]
    return "| " + " | ".join(cells) + " |"


def markdown(report):
    """The page."""
    lines = [_INTRO]
    lines.append(f"{report['date']}; {report['machine']}; {report['compiler']}.\n")
    lines.append("| " + " | ".join(_HEADS) + " |")
    lines.append("|" + "---|" * len(_HEADS))
    lines += [_row(result) for result in report["programs"]]
    return "\n".join(lines) + "\n"


def publishable(result):
    """A result without messages: they name this machine's folders and its mirror."""
    kept = dict(result)
    for key in ("skipped", "error"):
        if key in kept:
            kept[key] = True
    if "flavour_errors" in kept:
        kept["flavour_errors"] = sorted(kept["flavour_errors"])
    return kept


def report_of(results, compiler):
    """Everything that is published about one run."""
    return {
        "date": datetime.date.today().isoformat(),
        "machine": machine(),
        "compiler": compiler,
        "programs": [publishable(result) for result in results],
    }


def _completed(new, old):
    """A program's new result with what the old one has beyond it: flavours not examined again."""
    if "error" in new or old is None or old.get("version") != new["version"]:
        return new
    both = dict(new)
    for key in ("suites", "flavour_seconds"):
        both[key] = old[key] | new[key]
    if new["identity_sections_differing"] is None:
        both["identity_sections_differing"] = old["identity_sections_differing"]
    # Of one build each, and no reason to measure again.
    for key in ("build_ratio", "build_seconds", "size_ratio"):
        both[key] = old.get(key)
    return both


def with_earlier(report, folder):
    """The report of some programs or flavours, completed by the page that is there."""
    file = Path(folder) / "real-programs.json"
    if not file.exists():
        return report
    old = {result["program"]: result for result in json.loads(file.read_text())["programs"]}
    new = {result["program"]: _completed(result, old.get(result["program"]))
           for result in report["programs"] if "skipped" not in result}
    both = old | new
    return report | {"programs": [both[name] for name in sorted(both)]}


def write(report, folder):
    """Writes real-programs.md and real-programs.json."""
    folder = Path(folder)
    texts = {
        "real-programs.md": markdown(report),
        "real-programs.json": json.dumps(report, indent=1, sort_keys=True) + "\n",
    }
    for name, text in texts.items():
        temporary = folder / (name + ".new")
        temporary.write_text(text)
        temporary.rename(folder / name)
