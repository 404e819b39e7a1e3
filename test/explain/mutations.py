#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mutations.py CULPRIT EXAMPLES [--out TABLE]: the paper's Figure 13 for the examples of explain. At ten points from where
the runs part to their end the passing run is given all of the failing one's memory (`culprit diff --mutate 10`); what it does
then is compared with the failing run. EXAMPLES is a folder with an examples.json (examples/explain). Exit code: 0 every
example reaches 99 % of the heap accesses and 95 % of the control flow on average over its points, 1 one does not, 2 one could
not be run. Two builds of a program are shown and not judged: what is taken over is memory, and the passing
build goes on with its own code."""
import argparse
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

POINTS = 10
HEAP_ASKED, FLOW_ASKED = 0.99, 0.95


def case_of(case, folder, name):
    text = " ".join(shlex.quote(word) for word in case.get("arguments", []))
    if "stdin" in case:
        (folder / name).write_text(case["stdin"])
        text += f" < {name}"
    return text


def mutations_of(culprit, folder, example):
    """The rows of one example; the folder is a copy of it."""
    def build(source, program):
        driver = "c++" if example["language"] == "C++" else "cc"
        subprocess.run([culprit, driver, "-O2", source, "-o", program], cwd=folder, check=True)

    build(example["source"], "program")
    command = [culprit, "diff", "-q", "--mutate", str(POINTS), "--json", "-"]
    if "older" in example:
        build(example["older"], "older-program")
        command += ["--program-a", "./older-program"]
    return mutations_of_runs(command, [case_of(example["pass"], folder, "pass.in"), case_of(example["fail"], folder, "fail.in")],
                             "./program", folder)


def mutations_of_runs(command, cases, program, folder):
    cases = [" " + case for case in cases]  # one that begins with a dash is no option
    done = subprocess.run([*command, *cases, "--", program], cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode == 2:
        raise RuntimeError(done.stderr.strip().splitlines()[0])
    return json.loads(done.stdout)["mutations"]


def mean(rows, key, weight):
    whole = sum(row[weight] for row in rows)
    return sum(row[key] * row[weight] for row in rows) / whole if whole else 1.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("culprit", type=lambda text: str(Path(text).resolve()))
    parser.add_argument("examples", type=lambda text: Path(text).resolve())
    parser.add_argument("--also", nargs=4, action="append", default=[], metavar=("NAME", "PROG", "PASS", "FAIL"),
                        help="two cases of a program that was built with culprit cc")
    parser.add_argument("--out", type=lambda text: Path(text).resolve())
    options = parser.parse_args()
    lines, failed, unable, judged = [], [], [], 0

    def judge(name, builds, rows):
        nonlocal judged
        heap, flow = mean(rows, "heap", "heap_accesses"), mean(rows, "control_flow", "points")
        judged += not builds
        if not builds and (heap < HEAP_ASKED or flow < FLOW_ASKED):
            failed.append(name)
        worst = min((row["control_flow"] for row in rows), default=1.0)
        most = max((row["differences"] for row in rows), default=0)
        lines.append(f"| {name} | {'two builds' if builds else 'two inputs'} | {len(rows)} | {most} | {100 * heap:.1f} % | "
                     f"{100 * flow:.1f} % | {100 * worst:.1f} % |")
        print(lines[-1], flush=True)

    for example in json.loads((options.examples / "examples.json").read_text())["examples"]:
        name = example["name"]
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / name
            shutil.copytree(options.examples / name, folder)
            try:
                rows = mutations_of(options.culprit, folder, example)
            except (RuntimeError, subprocess.SubprocessError) as error:
                unable.append(name)
                lines.append(f"| {name} | – | – | – | {error} | – | – |")
                continue
        judge(name, "older" in example, rows)
    for name, program, passing, failing in options.also:
        command = [options.culprit, "diff", "-q", "--mutate", str(POINTS), "--json", "-"]
        judge(name, False, mutations_of_runs(command, [passing, failing], str(Path(program).resolve()), Path.cwd()))
    head = ["# All differences taken over", "",
            "The paper's Figure 13 for the examples of explain: at up to ten points from where the two runs part to their end,",
            "the passing run is given all of the failing run's memory that can be taken over (`culprit diff --mutate 10`), and",
            "what it does from there on is compared with what the failing run does. Asked: 99 % of the heap accesses, 95 % of",
            "the control flow, of two inputs of one program; of two builds the passing one goes on with its own code, so that what its",
            "mended statement does again is another difference. Made by `test/explain/mutations.py`; means are over all points,",
            "weighted by what follows them. lua, gawk and make are Debian's, built by `test/explain/real/run.py --aligned` (lua with a fixed",
            "seed for its hashes); in test/explain/mutated: `--also lua .../lua 'sort.lua 37' 'sort.lua 41' --also gawk .../gawk",
            "'-f sums.awk lines' '-f sums.awk other-lines' --also make .../make '-r -n all -f two.mk' '-r -n all -f six.mk'`.",
            "",
            "| example | of | points | most differences | heap accesses | control flow | worst point |",
            "|---|---|---:|---:|---:|---:|---:|"]
    foot = ["", f"{judged - len(failed)} of {judged} with two inputs reach what is asked."]
    if options.out:
        options.out.write_text("\n".join(head + lines + foot) + "\n")
    if unable:
        print("could not be run: " + ", ".join(unable), file=sys.stderr)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
