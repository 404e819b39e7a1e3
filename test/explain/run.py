#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explains the failure of every program of examples/explain: the chain names the guilty statement's variable and ends at
the failure. See example.py for the marks.

Exit codes: 0 all as expected; 1 something is not; 2 wrong use.
"""

import argparse
import os
import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True

import example as examples
import explaining
import page


def build(entry, culprit, work):
    """The program, and its older version if it has one."""
    driver = {"C": ["cc"], "C++": ["c++", "-std=c++17"]}[entry["language"]]
    programs = {}
    for which in ("source", "older"):
        if which not in entry:
            continue
        programs[which] = work / which / entry["name"]
        programs[which].parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([str(culprit), *driver, "-O2", "-g", entry[which], "-o", str(programs[which])],
                              cwd=examples.EXAMPLES / entry["name"], env=explaining.environment(work), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            raise RuntimeError(f"does not build:\n{done.stdout}")
    return programs


def judged(entry, explained):
    """(what the table shows, problems)."""
    names, guilty, crash = examples.marks(entry)
    problems = []
    seen = explaining.summary(explained)
    found = explaining.named_at(explained.document, names)
    seen["named"] = f"{found[2]} at {found[1]}, step {found[0]}" if found else None
    seen["guilty"] = f"{entry['source']}:{guilty}"
    failure = explained.document.get("failure", {})
    if explained.code != 0:
        problems.append(f"no chain {explained.told()}")
    elif found is None:
        problems.append(f"no step names {' or '.join(sorted(names))} {explained.told()}")
    elif crash is None and failure.get("kind") != "output":
        problems.append(f"the chain is to end in a wrong output {explained.told()}")
    elif crash is not None and (failure.get("location") or {}).get("line") != crash:
        problems.append(f"the chain is to end in a crash at line {crash} {explained.told()}")
    return seen, problems


def examine(entry, arguments):
    """One example; never raises."""
    work = arguments.work.resolve() / entry["name"]
    work.mkdir(parents=True, exist_ok=True)
    result = {"name": entry["name"], "problems": []}
    try:
        programs = build(entry, arguments.culprit, work)
        words = ["--pass", examples.case(entry["pass"], work / "pass.txt"),
                 "--fail", examples.case(entry["fail"], work / "fail.txt")]
        if "older" in programs:
            words += ["--pass-program", programs["older"]]
        explained = explaining.explain(arguments.culprit, [*words, "-v", "--", programs["source"]], work)
        result["seen"], result["problems"] = judged(entry, explained)
        result["output"] = explained.output
    except Exception:
        result["problems"].append(traceback.format_exc())
    return result


def told(result, verbose):
    """The summary of one example."""
    seen = result.get("seen", {})
    lines = [f"{result['name']}: " + ("MISSED" if result["problems"] else
                                      f"{seen['named']}; {seen['steps']} steps, {seen['tests']} tests, "
                                      f"{seen['differences']} differences, {seen['seconds']} s")]
    if verbose:
        lines.append(result.get("output", ""))
    return "\n".join(lines + [f"  {problem}" for problem in result["problems"]])


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="examples (default: all)")
    parser.add_argument("--culprit", type=Path, default=examples.ROOT / "build" / "release" / "bin" / "culprit")
    parser.add_argument("--work", type=Path, default=examples.ROOT / "build" / "explain" / "examples")
    parser.add_argument("--jobs", type=int, default=1, help="examples examined at the same time")
    parser.add_argument("--show", action="store_true", help="the reports, too")
    parser.add_argument("--table", type=Path, metavar="FILE", help="put the results into this markdown file and the .json beside it")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    known = examples.manifest()
    unknown = [name for name in arguments.names if name not in known]
    if unknown or not os.access(arguments.culprit, os.X_OK):
        problem = (f"there is no {', '.join(unknown)}; there are: {', '.join(known)}" if unknown
                   else f"{arguments.culprit} does not exist; name another with --culprit")
        print(f"run.py: error: {problem}", file=sys.stderr)
        return 2
    arguments.culprit = arguments.culprit.resolve()
    wanted = [known[name] for name in arguments.names] if arguments.names else list(known.values())
    results = []
    with ThreadPoolExecutor(max_workers=max(arguments.jobs, 1)) as pool:
        for result in pool.map(lambda entry: examine(entry, arguments), wanted):
            print(told(result, arguments.show), flush=True)
            results.append(result)
    good = sum(1 for result in results if not result["problems"])
    print(f"{good} of {len(results)} as expected")
    if arguments.table:
        page.update(arguments.table, "examples", {result["name"]: page.kept(result) for result in results})
    return 0 if good == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
