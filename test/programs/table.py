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
tree moved away, its *identity* and *base* flavours are made from the culprit executable, and the
program's own test suite (or fixed pairs of input and output) runs against all four.

- **tests**: passed / failed / skipped with plain clang 19. What fails there fails for reasons of
  the machine (a locale that is not installed, a read-only file that root may write all the same);
  the other variants must fail exactly the same tests.
- **culprit**, **identity**, **base**: `same` if every single test had plain clang's outcome.
- **sections**: every loaded section of culprit's executable equals plain clang's, byte for byte
  (the build id left out); **identity sections**: the same of the identity flavour.
- **build**: user and system time of the build, culprit's over clang's; one build each, one after
  the other, so read it with ±10 % on a quiet machine and ±30 % on a busy one
  (–: not measured side by side).
- **size**: the executable's file size, culprit's over clang's.
- **identity s**, **base s**: seconds of user and system time to make the flavours of all the
  program's executables; culprit spreads them over the cores.

`./setup programs` installs what the programs need and makes this page again; a single program:
`test/programs/run.py --programs gzip`. `--control` puts clang itself in culprit's place, to tell a
recipe's fault from culprit's.
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


def _row(result):
    if "skipped" in result:
        return f"| {result['program']} | skipped |" + " |" * 11
    if "error" in result:
        return f"| {result['program']} | **failed** |" + " |" * 11
    flavours = result["flavour_seconds"]
    cells = [
        result["program"], result["version"], result["language"], _tests(result),
        _verdict(result, "culprit"), _verdict(result, "identity"), _verdict(result, "base"),
        _equal(result["sections_differing"]), _equal(result["identity_sections_differing"]),
        _number(result["build_ratio"], 2), _number(result["size_ratio"], 2),
        _number(flavours.get("identity"), 1), _number(flavours.get("base"), 1),
    ]
    return "| " + " | ".join(cells) + " |"


def markdown(report):
    """The page."""
    heads = ["program", "version", "language", "tests", "culprit", "identity", "base", "sections",
             "identity sections", "build", "size", "identity s", "base s"]
    lines = [_INTRO]
    lines.append(f"{report['date']}; {report['machine']}; {report['compiler']}.\n")
    lines.append("| " + " | ".join(heads) + " |")
    lines.append("|" + "---|" * len(heads))
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
