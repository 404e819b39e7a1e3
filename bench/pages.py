#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long large reports take to open in Chromium, and whether they stay responsive.

bench/pages.py [--culprit PATH] [--repeat N] [--out FILE] prints the table and writes it to FILE. Asked: a report of 100,000 findings
and one of a run of 24 hours open in under two seconds.

The findings are those of a saved report, multiplied. The run is a real one: a program that makes a metric point for each second of a
day (or ten of them), recorded, judged and shown. To open is from the request to the load event and a frame drawn after it; to
respond, from an event (a step of the wheel, the pointer over a plot, a key in it, a fold that opens) to the next frame that
follows it: the longest of all.
"""

import copy
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import one_table
from one_table import ROOT

sys.path.insert(0, str(ROOT / "test/html"))
import browser  # noqa: E402

FINDINGS = 100_000
DAY = 24 * 60 * 60
FRAME = "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(performance.now()), 0)))"

PROGRAM = r"""
#include <culprit/watch.h>
#include <stdlib.h>
struct node { struct node *next, *prev; };
int main(int argc, char **argv) {
  long points = argc > 1 ? atol(argv[1]) : 1000;
  struct node *first = NULL;
  for (long i = 0; i < points; ++i) {
    if (i % (points / 1000 + 1) == 0) {
      struct node *node = calloc(1, sizeof *node);
      node->next = first;
      if (first && i < points / 2)
        first->prev = node;
      first = node;
    }
    culprit_metric_point();
  }
  return 0;
}
"""


def many_findings(folder):
    """A check of a thousand runs, and a triage: FINDINGS each."""
    documents = ROOT / "test/report"
    check = json.loads((documents / "check_finding.json").read_text())
    run = next(run for run in check["runs"] if run["findings"])
    check["runs"] = []
    for number in range(FINDINGS // 100):
        made = copy.deepcopy(run)
        made["label"] = f"inputs/{number:04}"
        made["findings"] = [{**copy.deepcopy(run["findings"][0]), "rank": rank + 1} for rank in range(100)]
        check["runs"].append(made)
    triage = json.loads((documents / "triage_groups.json").read_text())
    triage["groups"] = [{**copy.deepcopy(triage["groups"][i % len(triage["groups"])]), "id": f"{i:016x}"} for i in range(FINDINGS)]
    for name, document in (("check.json", check), ("triage.json", triage)):
        (folder / name).write_text(json.dumps(document))
    return [(f"{FINDINGS:,} findings of check", "check.json"), (f"{FINDINGS:,} groups of triage", "triage.json")]


def long_runs(culprit, folder):
    (folder / "day.c").write_text(PROGRAM)
    subprocess.run([culprit, "cc", "-O2", "-I", str(ROOT / "include"), "day.c", "-o", "day"], cwd=folder, check=True)
    rows = []
    for rate in (1, 10):
        name = f"day{rate}.run"
        subprocess.run([culprit, "check", "-q", "--learn", "--only", "heap", "--save", name, "--json", f"day{rate}.json", "--",
                        "./day", str(rate * DAY)], cwd=folder, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=False)
        rows.append((f"24 hours, {rate * DAY:,} metric points, the run", name))
        rows.append((f"24 hours, {rate * DAY:,} metric points, its findings", f"day{rate}.json"))
    return rows


def respond(page):
    """The longest of all, in milliseconds."""
    worst = 0.0
    def timed(act):
        nonlocal worst
        start = page.ask("performance.now()")
        act()
        worst = max(worst, page.ask(FRAME) - start)
    for _ in range(10):
        timed(lambda: page.wheel(900))
    if page.ask("document.querySelector('.plot .edge') !== null"):
        left, top, width, height = page.ask("""(() => { const edge = document.querySelector('.plot .edge');
            edge.scrollIntoView({block: 'center', behavior: 'instant'});
            const r = edge.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()""")
        for part in range(1, 10):
            timed(lambda: page.move(left + width * part / 10, top + height / 2))
        page.ask("document.querySelector('.plot .chart').focus()")
        for key in ("ArrowRight", "+", "+", "Escape"):
            timed(lambda: page.key(key))
    timed(lambda: page.ask("document.querySelectorAll('details').forEach(d => d.open = true)"))
    timed(lambda: page.ask("scrollTo(0, document.body.scrollHeight)"))
    return worst


def measure(culprit, folder, source, repeat, chromium):
    start = time.monotonic()
    subprocess.run([culprit, "show", source, "--html", source + ".html"], cwd=folder, check=True)
    written = time.monotonic() - start
    opened, longest = [], []
    for _ in range(repeat):
        page = chromium.page()
        start = time.monotonic()
        page.open(folder / (source + ".html"))
        page.ask(FRAME)
        opened.append(time.monotonic() - start)
        longest.append(respond(page))
        page.close()
    size = (folder / (source + ".html")).stat().st_size
    return (f"{(folder / source).stat().st_size / 1e6:.1f}", f"{written:.1f}", f"{size / 1e6:.2f}", f"{min(opened):.2f}",
            f"{max(opened):.2f}", f"{max(longest):.0f}")


def main():
    options = one_table.options(__doc__)
    table = one_table.Table(options.out, "Large pages",
                            f"In Chromium, {options.repeat} times each, {os.cpu_count()} cores, {datetime.date.today()}. Asked: open in "
                            "under 2 s, and responsive. `bench/pages.py --out` makes this.",
                            ["report", "saved, MB", "page written in, s", "page, MB", "opens in, s", "at most, s", "longest answer, ms"])
    with tempfile.TemporaryDirectory() as scratch, browser.Browser() as chromium:
        folder = Path(scratch)
        for what, source in many_findings(folder) + long_runs(options.culprit, folder):
            table.add(what, *measure(options.culprit, folder, source, options.repeat, chromium))
    table.write()


if __name__ == "__main__":
    main()
