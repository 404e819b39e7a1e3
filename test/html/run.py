# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py CULPRIT DOCUMENTS AXE OUT: the HTML pages of saved reports, in a real browser.

Each document of DOCUMENTS that has a page is shown in light and dark, wide and narrow, and judged: nothing is fetched,
nothing complains, every plot has the points of the document, values are read by mouse and keyboard, a part is looked
at more closely, chains have all of their steps, and nobody is shut out (page_checks.js, and axe-core, which AXE is). Names that are markup stay names. Pictures go to OUT.
"""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser

HERE = pathlib.Path(__file__).parent
HOSTILE = "<script>document.title='owned'</script>\"'><img src=https://example.org/x onerror=alert(1)>\x1b[31m\n\u202e"
STEERING = {"tool", "command", "detector", "class", "unit", "kind", "learned_from", "outcome", "part"}
CHAINS = ("locate", "triage", "explain")


def expect(truth, message):
    if not truth:
        sys.exit(message)


def make_page(culprit, document, out):
    done = subprocess.run([culprit, "show", document, "--html", out], stderr=subprocess.PIPE, text=True)
    expect(done.returncode == 0 and not done.stderr, f"{document}: exit code {done.returncode}: {done.stderr}")


def expected_points(document):
    """How many points each series of the page has, in the page's order."""
    counts = []
    if document["command"] == "diff":
        return counts
    numbers = lambda values: sum(isinstance(value, (int, float)) for value in values)
    if document["command"] == "check":
        for run in document["runs"]:
            for finding in run["findings"] + run["notes"]:
                series = finding.get("series", [])
                if len(series) > 1:
                    counts.append(numbers(series))
        return counts
    steady = [m for m in document["metrics"] if m["class"] != "unstable"]
    for metric in steady + [m for m in document["metrics"] if m["class"] == "unstable"]:
        if metric["series"]:
            counts.append(numbers(metric["series"]))
    access = document.get("access")
    if access:
        for part, key in ((access, "accset_size_cdf"), (access, "similarity_cdf"),
                          (access.get("periods", {}), "similarity_cdf"), (access, "objects_per_site_cdf")):
            for of in (part, part.get("globals", {})):
                if of.get(key):
                    counts.append(len(of[key]))
    return counts


def judge(page, name):
    for theme in ("light", "dark"):
        for width in (1200, 360):
            page.theme(theme)
            page.size(width, 900)
            wrong = page.ask((HERE / "page_checks.js").read_text())
            expect(not wrong, f"{name}, {theme}, {width} wide: {wrong}")
    page.theme("light")
    page.size(1200, 900)


def judge_by_axe(page, axe, name):
    """What axe-core calls serious or critical. It is put in from outside, past the page's policy."""
    page.ask(axe + "; 0")
    serious = page.ask("""axe.run(document, {resultTypes: ['violations']}).then(found => found.violations
        .filter(v => v.impact == 'serious' || v.impact == 'critical')
        .map(v => v.id + ': ' + v.help + ': ' + v.nodes[0].html.slice(0, 200)))""")
    expect(serious == [], f"{name}: axe-core: {serious}")


def expected_steps(document):
    """How many steps the walks of the page have, in the page's order: places in a row that are the same are one."""
    def count(places):
        return sum(i == 0 or places[i] != places[i - 1] for i in range(len(places)))
    if document["command"] == "explain":
        places = [each["location"] for each in document["transitions"]]
        if places and document["failure"].get("location"):
            places.append(document["failure"]["location"])
        return [count(places)] if places else []
    if document["command"] == "locate":
        walks = []
        for run in document.get("runs") or [document]:
            for finding in run["findings"]:
                places = []
                for step in reversed([s for s in run["chain"] if s["execution"] <= finding["execution"]]):
                    places += [each for each in step["definitions"] if each.get("file")]
                    places += [place for place in [step["crash"]["location"]] if place]
                walks.append(count(places))
        return walks
    return None


def check_walks(page, document, name):
    steps = page.ask("Array.from(document.querySelectorAll('.walk'), w => w.querySelectorAll(':scope > .step').length)")
    expected = expected_steps(document)
    expect(expected is None or steps == expected, f"{name}: walks of {steps} steps, not {expected}")
    if document["command"] == "triage":
        expect(len(steps) == len(document["groups"]), f"{name}: {len(steps)} walks of {len(document['groups'])} groups")
    dead = page.ask("""Array.from(document.querySelectorAll('a')).filter(a =>
        !document.getElementById(a.getAttribute('href').slice(1))).length""")
    expect(dead == 0, f"{name}: {dead} links lead nowhere")


# Of each graph the words of its boxes, and of each line which box either end touches, and whether it has a head there.
GRAPHS = """Array.from(document.querySelectorAll('.graph'), graph => {
    const numbers = (element) => element.getAttribute('d').match(/[\\d.]+/g).map(Number);
    const boxes = Array.from(graph.querySelectorAll('.box'), box => ({
        words: Array.from(box.querySelectorAll('text'), each => each.textContent),
        of: ['x', 'y', 'width', 'height'].map(name => Number(box.getAttribute(name)))}));
    const touches = ([x, y, width, height], [atX, atY]) =>
        Math.abs(atX - x - width / 2) < width / 2 + 1 && Math.abs(atY - y - height / 2) < height / 2 + 1;
    const heads = Array.from(graph.querySelectorAll('.head'), head => numbers(head).slice(0, 2).join());
    const end = (at) => [boxes.findIndex(box => touches(box.of, at)), heads.includes(at.join())];
    return {boxes: boxes.map(box => box.words), heads: heads.length, lines: Array.from(graph.querySelectorAll('.edge'), edge => {
        const [x0, y0, x1, y1] = numbers(edge);
        return [end([x0, y0]), end([x1, y1])].sort(); })};
})"""


def expected_graph(graph):
    """Whoever points to the object stands before those it only points to."""
    joined = sorted((each for each in graph["neighbours"] if not each["itself"]), key=lambda each: not each["points_here"])
    def words(vertex):
        place = vertex["location"]
        return [vertex["type"] or "block", f"{pathlib.Path(place['file']).name}:{place['line']}" if place and place["file"] else "unknown code"]
    return {"boxes": [words(each) for each in [graph, *joined]], "heads": sum(each["points_here"] + each["pointed_to"] for each in joined),
            "lines": [[[0, each["points_here"]], [i + 1, each["pointed_to"]]] for i, each in enumerate(joined)]}


def check_graphs(page, document, name):
    """Bars and neighbourhoods are of what the document has."""
    if document["command"] != "check":
        return 0
    findings = [each for run in document["runs"] for each in run["findings"] + run["notes"]]
    drawn = page.ask(GRAPHS)
    expected = [expected_graph(graph) for each in findings for graph in each.get("neighbourhood", {}).values()]
    if name.endswith(".hostile"):  # there the words are not what they were
        for graph in drawn + expected:
            graph["boxes"] = len(graph["boxes"])
    expect(drawn == expected, f"{name}: graphs {drawn}, not {expected}")
    bars = page.ask("document.querySelectorAll('.share.wide').length")
    moved = sum(site["moved"] > 0 for each in findings for site in each.get("moved", []))
    expect(bars == moved, f"{name}: {bars} bars of {moved} allocation sites")
    return len(drawn)


def check_plots(page, name):
    """Hover, zoom and keys, on the first plot of the page."""
    box = page.ask("""(() => { const edge = document.querySelector('.plot .edge'); if (!edge) return null;
        edge.scrollIntoView({block: 'center', behavior: 'instant'});
        const r = edge.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()""")
    if not box:
        return False
    left, top, width, height = box
    labels = page.ask("document.querySelector('.plot .series').dataset.labels.split('|')")
    readout = "document.querySelector('.plot .readout').textContent"
    shows = lambda label: page.ask(readout).split(" · ")[0].endswith(label)
    y = top + height / 2
    page.move(left + width - 1, y)
    expect(shows(labels[-1]), f"{name}: at the right end {page.ask(readout)!r}, not {labels[-1]!r}")
    page.move(left + 1, y)
    expect(shows(labels[0]), f"{name}: at the left end {page.ask(readout)!r}, not {labels[0]!r}")
    page.move(1, 1)
    expect(page.ask(readout) == "", f"{name}: still shows {page.ask(readout)!r} when the pointer has left")

    view = "document.querySelector('.plot .area').getAttribute('viewBox')"
    page.drag(left + width / 4, left + width / 2, y)
    start, _, extent, _ = map(float, page.ask(view).split())
    expect(abs(start - 250) < 5 and abs(extent - 250) < 5, f"{name}: zoomed to {page.ask(view)}")
    page.ask("document.querySelector('.plot .whole').click()")
    expect(page.ask(view) == "0 0 1000 1000", f"{name}: {page.ask(view)} after zooming out")

    page.ask("document.querySelector('.plot .chart').focus()")
    page.key("Home")
    page.key("ArrowRight")
    expect(shows(labels[min(1, len(labels) - 1)]), f"{name}: the arrow key shows {page.ask(readout)!r}")
    page.key("+")
    expect(page.ask(view) != "0 0 1000 1000", f"{name}: + does not zoom")
    page.key("Escape")
    expect(page.ask(view) == "0 0 1000 1000", f"{name}: Escape does not zoom out")
    page.ask("document.activeElement.blur()")
    return True


def hostile(value, key=""):
    if isinstance(value, dict):
        return {name: hostile(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [hostile(inner, key) for inner in value]
    return HOSTILE if isinstance(value, str) and value and key not in STEERING else value


def check_harmless(page, name):
    expect("owned" != page.ask("document.title"), f"{name}: a name was executed")
    expect(page.ask("document.querySelectorAll('img, body script ~ script').length") == 0, f"{name}: a name is an element")
    expect(page.ask("document.scripts.length") == 1, f"{name}: more scripts than ours")


def main():
    culprit, documents, axe, out = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    expect(axe.exists(), f"{axe} is not there: `./setup test` fetches it")
    axe = axe.read_text()
    out.mkdir(parents=True, exist_ok=True)
    plots = graphs = 0
    with browser.Browser() as chromium:
        page = chromium.page()
        for path in sorted(documents.glob("*.json")):
            document = json.loads(path.read_text())
            for kind in ("", ".hostile"):
                name = path.stem + kind
                source = out / (name + ".json")
                source.write_text(json.dumps(hostile(document) if kind else document))
                html = out / (name + ".html")
                make_page(culprit, source, html)
                page.theme("light")
                page.open(html)
                if document["command"] in CHAINS:
                    check_walks(page, document, name)
                else:
                    points = page.ask("Array.from(document.querySelectorAll('.series'), s => s.dataset.x.split(' ').length)")
                    expect(points == expected_points(document), f"{name}: {points} points, not {expected_points(document)}")
                graphs += check_graphs(page, document, name)
                check_harmless(page, name)
                judge(page, name)
                plots += check_plots(page, name)
                if not kind:
                    for theme in ("light", "dark"):
                        page.theme(theme)
                        page.screenshot(out / f"{name}.{theme}.png")
                    expect(page.pdf().startswith(b"%PDF"), f"{name}: cannot be printed")
                    expect(page.ask("document.querySelectorAll('details[open]').length") == 0, f"{name}: printing unfolds for good")
                expect(page.requests() == ["file://" + str(html.resolve())], f"{name}: asked for {page.requests()}")
                expect(not page.complaints(), f"{name}: {page.complaints()}")
                for theme in ("light", "dark"):
                    page.theme(theme)
                    judge_by_axe(page, axe, f"{name}, {theme}")
    expect(plots and graphs, f"{plots} plots and {graphs} graphs were seen: the documents' form has changed")


if __name__ == "__main__":
    main()
