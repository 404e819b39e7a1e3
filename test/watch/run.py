# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py CULPRIT AXE OUT: the live page of `culprit watch`, in a real browser.

A program runs, waits, goes wrong, waits, and ends; the page is looked at in each phase: points arrive and are those of
the saved run, values are read by mouse and keyboard, the learned range is drawn, pausing and picking work, the call
stacks come when a metric leaves its range, the end is shown. Nothing is asked for but the page and its events, names that
are markup stay names, nobody is shut out (page_checks.js, axe-core). Pictures go to OUT.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "html"))
import browser

HOSTILE = "<script>document.title='owned'</script>\"'><img src=https://example.org/x onerror=alert(1)>\x1b[31m\n\u202e"
NAMES = ("roots", "indegree1", "indegree2", "leaves", "outdegree1", "outdegree2", "in_eq_out", "components",
         "largest_component", "strong_components", "largest_strong_component", "live_objects", "live_bytes")


def expect(truth, message):
    if not truth:
        sys.exit(message)


def until(page, expression, what):
    end = time.monotonic() + 60
    while not page.ask(expression):
        expect(time.monotonic() < end, f"{what}: never; the page says {page.ask('document.body.innerText')[:2000]}")
        time.sleep(0.1)


def box_of(page, name):
    return page.ask(f"""(() => {{ const edge = document.querySelector('[data-name={name}] .edge');
        edge.scrollIntoView({{block: 'center', behavior: 'instant'}});
        const r = edge.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; }})()""")


def path_points(page, name):
    """How many points the line of a plot is drawn through."""
    return page.ask(f"(document.querySelector('[data-name={name}] .line').getAttribute('d').match(/[ML]/g) || []).length")


def judge(page, axe, name):
    for theme in ("light", "dark"):
        page.theme(theme)
        for width in (1200, 360):
            page.size(width, 900)
            wrong = page.ask((HERE.parent / "html" / "page_checks.js").read_text())
            expect(not wrong, f"{name}, {theme}, {width} wide: {wrong}")
        page.size(1200, 900)
        page.ask(axe + "; 0")
        serious = page.ask("""axe.run(document, {resultTypes: ['violations']}).then(found => found.violations
            .filter(v => v.impact == 'serious' || v.impact == 'critical')
            .map(v => v.id + ': ' + v.help + ': ' + v.nodes[0].html.slice(0, 200)))""")
        expect(serious == [], f"{name}, {theme}: axe-core: {serious}")
    page.theme("light")


def check_hover(page, name):
    left, top, width, height = box_of(page, name)
    readout = f"document.querySelector('[data-name={name}] .readout').textContent"
    page.move(left + width - 1, top + height / 2)
    now = page.ask(f"document.querySelector('[data-name={name}] .now strong').textContent")
    expect(page.ask(readout).startswith(now + " after "), f"hover: {page.ask(readout)!r}, not {now!r}")
    page.move(1, 1)
    expect(page.ask(readout) == "", "hover: still shows something when the pointer has left")
    page.ask(f"document.querySelector('[data-name={name}] .chart').focus()")
    page.key("Home")
    expect(re.match(r"[\d.]+ % after [\d,]+ units of work", page.ask(readout)), f"keys: {page.ask(readout)!r}")
    page.key("+")
    view = f"document.querySelector('[data-name={name}] .area').getAttribute('viewBox')"
    expect(page.ask(view) != "0 0 1000 1000", "keys: + does not zoom")
    page.key("Escape")
    expect(page.ask(view) == "0 0 1000 1000", "keys: Escape does not zoom out")
    page.ask("document.activeElement.blur()")


def check_band(page, name):
    """The learned range is where the axis says."""
    band = page.ask(f"""(() => {{ const b = document.querySelector('[data-name={name}] .band').getBoundingClientRect();
        const e = document.querySelector('[data-name={name}] .edge').getBoundingClientRect();
        return [b.top - e.top, b.height, e.height]; }})()""")
    expect(band[1] > 0 and -1 <= band[0] <= band[2], f"band of {name}: {band}")


def saved_series(culprit, run):
    """{metric: last value, count} by culprit's own reading of the saved run."""
    done = subprocess.run([culprit, "show", "--json", "-", run], capture_output=True, text=True, check=True)
    return {metric["name"]: metric for metric in json.loads(done.stdout)["metrics"]}, json.loads(done.stdout)


def main():
    culprit, axe, out = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    expect(axe.exists(), f"{axe} is not there: `./setup test` fetches it")
    axe = axe.read_text()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    work = out / "work"
    work.mkdir()
    gates = pathlib.Path(tempfile.mkdtemp())
    environment = {**os.environ, "XDG_CACHE_HOME": str(work / "cache")}
    run = lambda *words: subprocess.run([culprit, *words], cwd=work, env=environment, check=True)
    run("cc", "-O1", "-g", str(HERE / "phases.c"), "-o", "phases")
    (work / "good").write_text("".join(f"train {count}\n" for count in range(1000, 3400, 300)))
    run("train", "-q", "--only", "heap", "--cases", "good", "--", "./phases")
    watch = subprocess.Popen([culprit, "watch", "--save", "kept.run", "--", "./phases", "live", "2500", str(gates), HOSTILE],
                             cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        look(culprit, watch, gates, work, axe, out)
    finally:
        if watch.poll() is None:
            watch.terminate()
        shutil.rmtree(gates)


def look(culprit, watch, gates, work, axe, out):
    line = watch.stderr.readline()
    while "open http" not in line:
        expect(line, "no address")
        line = watch.stderr.readline()
    address = line.split("open ")[1].strip()
    with browser.Browser() as chromium:
        page = chromium.page()
        page.visit(address)
        until(page, "document.querySelector('#status').textContent == 'running'", "running")
        until(page, "document.querySelectorAll('[data-name=roots] .line')[0].getAttribute('d').length > 100", "points")
        expect(page.ask("document.querySelector('h1').textContent").startswith("culprit watch: ./phases live 2500"), "title")
        shown = page.ask("Array.from(document.querySelectorAll('.metric:not([hidden])'), m => m.dataset.name)")
        learned = page.ask("Array.from(document.querySelectorAll('.metric'), m => m).filter(m => m.querySelector('.band')).map(m => m.dataset.name)")
        expect(shown == learned and "indegree2" in shown, f"shown are {shown}, learned {learned}")
        check_band(page, "indegree2")
        check_hover(page, "indegree2")
        judge(page, axe, "running")
        page.screenshot(out / "running.png")

        # Picking.
        page.ask("document.querySelector('#pick-live_objects').click()")
        until(page, "document.querySelector('[data-name=live_objects] .line').getAttribute('d').length > 100", "a picked plot")
        page.ask("document.querySelector('#pick-indegree2').click()")
        expect(page.ask("document.querySelector('[data-name=indegree2]').hidden"), "a plot that is not picked is shown")
        page.ask("document.querySelector('#pick-indegree2').click()")

        # Paused, the page stays as it is while the run goes on.
        page.ask("document.querySelector('#pause').click()")
        until(page, "document.querySelector('#status').textContent.endsWith('paused')", "paused")
        before = path_points(page, "indegree2")
        (gates / "1").touch()
        time.sleep(2)
        expect(path_points(page, "indegree2") == before, "points arrive while paused")
        stacks = page.ask("document.querySelector('.stacks').textContent")  # of the start, where ranges are left, too
        page.ask("document.querySelector('#pause').click()")
        until(page, f"(document.querySelector('[data-name=indegree2] .line').getAttribute('d').match(/[ML]/g) || []).length > {before}",
              "points after the pause")
        until(page, "document.querySelectorAll('.metric.beyond').length > 0", "a metric outside its range")
        until(page, f"document.querySelector('.stacks').textContent != {json.dumps(stacks)}", "call stacks")
        expect("insert_item" in page.ask("document.querySelector('.stacks').textContent"), "who inserts is not on a stack")
        until(page, "document.querySelectorAll('#findings li').length > 0", "findings so far")
        expect(page.ask("document.querySelectorAll('.metric.beyond path.outside').length") > 0, "what is outside is not drawn")
        drawn = page.ask("getComputedStyle(document.querySelector('.metric.beyond .tick')).stroke")
        expect(drawn == "none", f"the ticks of a plot outside its range have a stroke: {drawn}")
        judge(page, axe, "outside")
        page.theme("dark")
        page.screenshot(out / "outside.dark.png")
        page.theme("light")
        page.screenshot(out / "outside.png")
        page.size(360, 800)
        page.screenshot(out / "outside.narrow.png")
        page.size(1200, 900)

        # Who comes back has all of it.
        second = chromium.page()
        second.visit(address)
        until(second, f"(document.querySelector('[data-name=indegree2] .line').getAttribute('d').match(/[ML]/g) || []).length > {before}",
              "all points, for who comes late")
        expect(path_points(second, "indegree2") == path_points(page, "indegree2"), "who comes late has other points")
        second.close()

        (gates / "2").touch()
        until(page, "document.querySelector('#status').textContent.startsWith('ended: exit code 0; ')", "the end")
        until(page, "/; \\d+ findings?$/.test(document.querySelector('#status').textContent)", "the verdict")
        said, err = watch.communicate(timeout=120)
        expect(watch.returncode == 1 and "heap anomaly" in said, f"exit code {watch.returncode}: {said}{err}")
        drawn = {name: path_points(page, name) for name in ("indegree2", "live_objects")}
        metrics, document = saved_series(culprit, work / "kept.run")
        points = document["runs"][0]["points"]
        expect(drawn == {name: points for name in drawn}, f"drawn are {drawn} points, saved {points}")
        last = page.ask("document.querySelector('[data-name=live_objects] .now strong').textContent")
        expect(int(last.replace(",", "")) > 1000, f"live objects: {last}")
        judge(page, axe, "ended")
        page.screenshot(out / "ended.png")

        # Nothing from elsewhere, nothing complained of, nothing obeyed.
        origin = address.split("?")[0]
        asked = page.requests()
        expect(asked[0] == address and set(asked[1:]) == {origin + "events" + address[len(origin):]}, f"asked for {asked}")
        expect(not page.complaints(), f"{page.complaints()}")
        expect("owned" not in page.ask("document.title").split("culprit")[0], "a name was executed")
        expect(page.ask("document.querySelectorAll('img').length") == 0 and page.ask("document.scripts.length") == 2, "a name is an element")


main()
