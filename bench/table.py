# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From samples to ratios, means and a Markdown table; pure functions, no I/O.

A cell is {"samples": [seconds], "seconds": min, "peak_kib": n, "error": text or None}. The minimum is
taken because noise on a shared machine only ever adds time; the geometric mean because ratios multiply.
"""

import math


def geomean(values):
    """Geometric mean of positive numbers; None of nothing."""
    values = list(values)
    if not values:
        return None
    return math.exp(sum(math.log(value) for value in values) / len(values))


def ratio(value, base):
    """value / base, or None where one is missing or below what the clock resolves."""
    if value is None or base is None or value <= 0 or base <= 0:
        return None
    return value / base


def finish_cell(cell):
    """Adds the minimum to a cell; a cell with an error has no time, however many runs went well."""
    good = cell["samples"] and not cell["error"]
    cell["seconds"] = min(cell["samples"]) if good else None
    return cell


def add_ratios(rows, baseline, names, measures):
    """Adds NAME_ratio to every cell and returns {configuration: {NAME: mean, "programs": n}}."""
    means = {}
    for name in names:
        found = {measure: [] for measure in measures}
        for row in rows:
            cell, base = row["cells"].get(name), row["cells"].get(baseline)
            if not cell:
                continue
            usable = base and not base["error"] and not cell["error"]
            for measure in measures:
                value = ratio(cell.get(measure), base.get(measure)) if usable else None
                cell[measure + "_ratio"] = value
                if value is not None:
                    found[measure].append(value)
        means[name] = {measure: geomean(values) for measure, values in found.items()}
        means[name]["programs"] = max(len(values) for values in found.values())
    return means


BIG_KIB = 50 * 1000 * 1000 // 1024


def is_big(row, baseline):
    """Does the program use 50 MB or more by itself? Below, fixed costs decide the memory ratio."""
    cell = row["cells"].get(baseline)
    return bool(cell) and not cell["error"] and (cell.get("peak_kib") or 0) >= BIG_KIB


def number(value, digits, suffix=""):
    return "–" if value is None else f"{value:.{digits}f}{suffix}"


def cell_text(cell, measure, show):
    if not cell:
        return "–"
    if cell["error"]:
        return "**" + cell["error"].replace("|", "\\|").replace("\n", " ") + "**"
    text = show(cell.get(measure))
    factor = cell.get(measure + "_ratio")
    return text if factor is None else f"{text} ({factor:.2f}x)"


def grid(title, rows, names, baseline, means, big_means, measure, show):
    lines = [f"## {title}", "", "| program | " + " | ".join(names) + " |",
             "|---|" + "---:|" * len(names)]
    for row in rows:
        texts = [cell_text(row["cells"].get(name), measure, show) for name in names]
        lines.append(f"| {row['name']} | " + " | ".join(texts) + " |")
    texts = [f"**{number(means[name][measure], 2, 'x')}**" for name in names]
    lines.append(f"| **geometric mean against {baseline}** | " + " | ".join(texts) + " |")
    if measure == "peak_kib" and big_means:
        texts = [f"**{number(big_means[name][measure], 2, 'x')}**" for name in names]
        lines.append("| **the same, programs of 50 MB or more** | " + " | ".join(texts) + " |")
    return lines + [""]


def seconds_text(value):
    return number(value, 3)


def mib_text(kib):
    return number(None if kib is None else kib / 1024, 1)


def kib_text(size):
    return number(None if size is None else size / 1024, 1)


MEASURES = {
    "run": [("seconds", "User + system time, seconds", seconds_text),
            ("peak_kib", "Peak memory, MiB", mib_text)],
    "build": [("seconds", "Build time (user + system), seconds", seconds_text),
              ("size", "Executable size, KiB", kib_text)],
}


def repetitions(result):
    """How many samples the minima stand on: an interrupted run has fewer than were asked for."""
    counts = [len(cell["samples"]) for row in result["programs"] for cell in row["cells"].values()
              if not cell["error"]]
    if not counts or min(counts) == max(counts):
        return str(max(counts, default=0))
    return f"{min(counts)} to {max(counts)}"


def markdown(result):
    machine = result["machine"]
    lines = ["# Benchmark" + (" (partial: interrupted)" if result["partial"] else ""), "",
             f"{result['date']} · {machine['cpu']} · {machine['cores']} cores · "
             f"{machine['kernel']} · {machine['compiler']}", "",
             f"Size {result['size']}, minimum of {repetitions(result)}, configurations interleaved.",
             ""]
    for entry in result["configurations"]:
        lines.append(f"- **{entry['name']}**: {entry['about']}")
    lines.append("")
    names = [entry["name"] for entry in result["configurations"]]
    for measure, title, show in MEASURES[result["mode"]]:
        lines += grid(title, result["programs"], names, result["baseline"], result["means"],
                      result.get("big_means"), measure, show)
    if result["left_out"]:
        lines += ["Left out:", ""] + [f"- {text}" for text in result["left_out"]] + [""]
    return "\n".join(lines)
