#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of a program with a wrapper around malloc are named after its callers: wrapped.c, built by gcc -O2.

By itself with the runtime preloaded: the run file has contexts xmalloc ← add_red ← main. Trained and checked: what is found is
said of the nodes of add_red, and good runs are silent. The same of a stripped copy, whose names are offsets.

Exit codes: 0 as expected; 1 not; 2 wrong use.
"""

import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

CONTEXT, NATIVE_SITE = 6, 23  # abi/records.def


def records(path):
    """Kind and payload of every record."""
    data = Path(path).read_bytes()
    (offset,) = struct.unpack_from("<I", data, 12)
    (end,) = struct.unpack_from("<Q", data, 48)
    while offset < end:
        size, kind, _, _, _ = struct.unpack_from("<IHHII", data, offset)
        yield kind, data[offset + 16:offset + size]
        offset += size


def function_at(program):
    """Address → the function around it, by nm."""
    symbols = []
    for line in subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "tT":
            symbols.append((int(words[0], 16), words[2]))
    symbols.sort()

    def find(address):
        below = [name for start, name in symbols if start < address]
        return below[-1] if below else "?"

    return find


def chains(program, library, folder):
    """The contexts of a run, as functions, innermost first."""
    run = folder / "run"
    run.unlink(missing_ok=True)
    subprocess.run([program, "2000", "good"], env={**os.environ, "LD_PRELOAD": str(library), "CULPRIT_RUNTIME": f"run={run}"},
                   check=True, stdout=subprocess.DEVNULL)
    find, sites, found = function_at(program), {}, set()
    for kind, payload in records(run):
        if kind == NATIVE_SITE:
            site, _, address = struct.unpack_from("<IIQ", payload)
            sites[site] = address
        elif kind == CONTEXT:
            _, _, chain = struct.unpack_from("<IIQ", payload)
            names = [chain >> shift & 0xffff for shift in (0, 16, 32, 48)]
            found.add(tuple(find(sites[site]) for site in names if sites.get(site, 0) < 1 << 32 and site))
    return found


def objects(culprit, program, folder, environment):
    """Problems of training and checking, and whose objects the bad run is said to have too many of."""
    cases = folder / "cases"
    cases.write_text("".join(f"{nodes} good\n" for nodes in range(1500, 3100, 100)))
    model = folder / "model"
    model.unlink(missing_ok=True)

    def ask(*words):
        answer = folder / "answer.json"
        done = subprocess.run([culprit, *words[:1], "-m", model, "--json", answer, *words[1:]], env=environment,
                              capture_output=True, text=True, check=False)
        return done, json.loads(answer.read_text()) if answer.exists() else {}

    problems = []
    done, _ = ask("train", "--cases", str(cases), "--", str(program))
    if done.returncode != 0:
        return [f"training ends with {done.returncode}: {done.stderr}"], set()
    done, _ = ask("check", "--", str(program), "2222", "good")
    if done.returncode != 0:
        problems.append(f"a good run ends with {done.returncode}: {done.stdout}{done.stderr}")
    done, document = ask("check", "--", str(program), "2222", "bad")
    if done.returncode != 1:
        problems.append(f"a bad run ends with {done.returncode}: {done.stdout}{done.stderr}")
    found = set()
    for run in document.get("runs", []):
        for finding in run.get("findings", []):
            if finding.get("object"):
                found.add(json.dumps(finding["object"]))
    return problems, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--culprit", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True, help="libculprit_unmodified.so")
    arguments = parser.parse_args()
    problems = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
        program = folder / "wrapped"
        # Not position-independent: addresses are those of the file.
        subprocess.run(["gcc", "-O2", "-no-pie", "-fomit-frame-pointer", "-o", program, Path(__file__).with_suffix(".c")], check=True)
        seen = chains(program, arguments.library.resolve(), folder)
        for wanted in (("xmalloc", "add_red", "main"), ("xmalloc", "add_blue", "main"), ("xmalloc", "main")):
            if not any(chain[:len(wanted)] == wanted for chain in seen):
                problems.append(f"no context {' ← '.join(wanted)} in {sorted(seen)}")
        wrong, found = objects(arguments.culprit.resolve(), program, folder, environment)
        problems += wrong
        if not any('"context": [{"function": "add_red"}, {"function": "main"}]' in text for text in found):
            problems.append(f"no finding about the objects of add_red ← main: {found}")
        subprocess.run(["strip", program], check=True)
        wrong, found = objects(arguments.culprit.resolve(), program, folder, environment)
        problems += [f"stripped: {problem}" for problem in wrong]
        if not any(len(json.loads(text).get("context", [])) == 2 for text in found):
            problems.append(f"stripped: no finding about objects with two callers: {found}")
    for problem in problems:
        print(f"wrong: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
