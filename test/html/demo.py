# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""demo.py CULPRIT AXE OUT [PICTURE]: the tour, and its report in a real browser.

`culprit demo` is run in OUT/demo. Its page holds the findings of check, locate and explain, each in a section, and is judged as
all pages are (run.py). OUT/demo.png is a picture of how it begins; with PICTURE, that file is made anew, too: it is the one the
README shows, docs/demo.png, which must be there and small.
"""
import pathlib
import shutil
import struct
import subprocess
import sys

import run
from run import browser, expect

ROOT = pathlib.Path(__file__).parent.parent.parent
SIZE = (1200, 1500)
LARGEST = 200_000  # bytes, of the README's picture


def tour(culprit, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([culprit, "demo", "--dir", folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=500)
    expect(done.returncode == 0, f"exit code {done.returncode}: {done.stdout[-2000:]}{done.stderr}")
    report = pathlib.Path(done.stdout.splitlines()[-1])
    expect(report == (folder / "report.html").absolute() and report.exists(), f"the tour ends with {report}")
    steps = [line.split()[2] for line in done.stdout.splitlines() if line.startswith("$ culprit ")]
    expect(steps == ["cc", "train", "check", "locate", "explain", "show"], f"the steps are {steps}")
    again = subprocess.run([culprit, "demo", "--dir", folder], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    expect(again.returncode == 2 and "not an empty folder" in again.stderr, f"a folder that is in use is taken: {again.stdout}")
    return report


def main():
    culprit, axe, out = sys.argv[1], *map(pathlib.Path, sys.argv[2:4])
    expect(axe.exists(), f"{axe} is not there: `./setup test` fetches it")
    axe = axe.read_text()
    report = tour(culprit, out / "demo")
    with browser.Browser() as chromium:
        page = chromium.page()
        page.theme("light")
        page.open(report)
        titles = page.ask("Array.from(document.querySelectorAll('section.report > h2'), h => h.textContent)")
        expect(titles == [f"culprit {command}: ./kitchen" for command in ("check", "locate", "explain")], f"sections {titles}")
        counts = page.ask("""['.share.wide', '.plot', '.graph', '.walk', '.source .hot'].map(s => document.querySelectorAll(s).length)""")
        expect(min(counts) > 0, f"bars, plots, graphs, walks and source lines: {counts}")
        blamed = page.ask("document.querySelector('article .hot').textContent")
        expect("ticket->next = at->next" in blamed, f"the first line shown is {blamed!r}")
        run.judge(page, "demo")
        expect(run.check_plots(page, "demo"), "no plot")
        expect(page.requests() == ["file://" + str(report)], f"asked for {page.requests()}")
        expect(not page.complaints(), f"{page.complaints()}")
        page.size(*SIZE)
        page.open(report)
        page.screenshot(out / "demo.png", whole=False)
        for theme, width in (("light", 1200), ("dark", 1200), ("light", 360)):
            page.theme(theme)
            page.size(width, 900)
            page.screenshot(out / f"demo.{theme}.{width}.png")
        (out / "demo.pdf").write_bytes(page.pdf())
        page.size(*SIZE)
        for theme in ("light", "dark"):
            page.theme(theme)
            run.judge_by_axe(page, axe, f"demo, {theme}")
    if len(sys.argv) > 4:
        shutil.copy(out / "demo.png", sys.argv[4])
    picture = (ROOT / "docs/demo.png").read_bytes()
    size = struct.unpack(">II", picture[16:24])
    expect(picture.startswith(b"\x89PNG") and size == SIZE and len(picture) < LARGEST,
           f"docs/demo.png: {size}, {len(picture)} bytes; `cmake --build --preset release --target demo-picture` makes it anew")


main()
