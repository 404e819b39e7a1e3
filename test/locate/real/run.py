#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Locates errors put back into programs of Debian (put_back.py): the line that is reported first is the right one.

Each program is fetched, edited and built as test/programs builds it. --native does it with plain clang and
sees only that the bad input crashes and the good one does not.

Exit codes: 0 all as expected; 1 something is not; 2 wrong use; 77 skipped (no network, or missing
Debian packages, which are named).
"""

import argparse
import dataclasses
import json
import shutil
import subprocess
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent.parent / "heap" / "inject"))

import example as examples
import table_of_errors  # before injection, which finds another `table`
import injection
import locating

import put_back as bugs

# Programs that only these tests use; the other recipes are those of test/programs.
RECIPES = {
    "gddrescue": """
source = "gddrescue"
language = "C++"
executables = ["ddrescuelog"]
configure = './configure CXX="$CXX" CXXFLAGS="$CXXFLAGS"'
build = "make ddrescuelog"
""",
}


# gzip asks the C library for checks of its own, which would stop at the error itself.
CHANGES = {"gzip": {"cflags": "-O2 -g -D_FORTIFY_SOURCE=0"}}


def recipe_of(name):
    """How a program is built."""
    if name in RECIPES:
        return injection.recipes.parse(name, RECIPES[name])
    recipe = injection.program_recipe(name)
    changes = CHANGES.get(name, {})
    return dataclasses.replace(recipe, **changes, digest=recipe.digest + repr(sorted(changes.items())))


def built(name, bug, arguments):
    """The program with its error, and its tree."""
    recipe = recipe_of(bug.program)
    dsc = injection.fetch.source_of(recipe, arguments.sources)
    compiler = (injection.plain_compiler(name) if arguments.native
                else injection.culprit_compiler(name, arguments.culprit))
    work = arguments.work / "build" / ("plain" if arguments.native else "culprit") / bug.program
    return injection.built(recipe, compiler, dsc, work, bug.edit)


def answer_of(bug, tree):
    """The right lines, by the name of their file."""
    places = [examples.Place(Path(line.file).name, bugs.line_number(line, tree)) for line in bug.right]
    return examples.Answer(places[0], tuple(places[1:]), ())


def plainly(program, how, folder):
    """How a run of the program by itself ends."""
    done = subprocess.run([program, *how.get("arguments", [])], input=how.get("stdin", ""), text=True,
                          errors="replace", cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          timeout=120, check=False)
    return examples.ending(done.returncode)


def inputs_of(bug, folder):
    """Both inputs, in a folder of their own."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return bug.inputs(folder)


def make_flavours(culprit, program, work):
    """All that locating may ask for, so that its time is that of its executions."""
    for flavour in ("trace", "suppress", "origins", "reorder"):
        done = subprocess.run([culprit, "flavour", flavour, program], env=locating.environment(work), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"there is no {flavour} flavour of {program}:\n{done.stdout}")


def examine(name, arguments):
    """(lines to print, problems) of one error."""
    bug = bugs.BUGS[name]
    done = built(name, bug, arguments)
    program = done.executable(bug.executable)
    answer = answer_of(bug, done.tree)
    work = arguments.work / name
    bad, good = inputs_of(bug, work / "files")
    lines, problems = [f"{name}: {bug.what}; right is {' or '.join(map(str, answer.right))}"], []
    seen = plainly(program, bad, work / "files"), plainly(program, good, work / "files")
    lines.append(f"  the plain run: bad input {seen[0]}, good input {seen[1]}")
    if seen != (bug.crash, "silent"):
        problems.append(f"{name}: ends with {seen}, not {bug.crash} and silent")
    if arguments.native:
        return lines, problems, {}
    make_flavours(arguments.culprit, program, work)
    bad, good = inputs_of(bug, work / "files")
    located = locating.locate(arguments.culprit, program, bad, work, work / "files")
    result, missed = locating.judged(located, answer, bug.executions, name)
    lines.append(f"  reported: {result['reported']}, {result['executions']} executions, {result['seconds']} s")
    problems += missed
    located = locating.locate(arguments.culprit, program, good, work, work / "files")
    found = locating.judged_good(located, name)
    return lines, problems + found, result | {"good": not found}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="errors (default: all)")
    parser.add_argument("--culprit", type=Path,
                        default=examples.ROOT / "build" / "release" / "bin" / "culprit")
    parser.add_argument("--work", type=Path, default=examples.ROOT / "build" / "locate" / "real")
    parser.add_argument("--sources", type=Path, default=injection.fetch.default_cache())
    parser.add_argument("--table", type=Path, metavar="FILE",
                        help="put the results into this markdown file and the .json beside it")
    parser.add_argument("--native", action="store_true", help="with plain clang, without culprit")
    arguments = parser.parse_args()
    arguments.work, arguments.culprit = arguments.work.resolve(), arguments.culprit.resolve()
    unknown = [name for name in arguments.names if name not in bugs.BUGS]
    if unknown or not (arguments.native or arguments.culprit.exists()):
        print(f"run.py: error: there is no {unknown[0] if unknown else arguments.culprit}", file=sys.stderr)
        return 2
    failed, results = 0, {}
    for name in arguments.names or bugs.BUGS:
        try:
            lines, problems, results[name] = examine(name, arguments)
        except injection.fetch.Skip as skip:
            print(f"skipped: {skip}")
            return injection.fetch.SKIPPED
        except Exception:
            lines, problems = [name], [traceback.format_exc()]
        print("\n".join(lines + [f"  MISSED {problem}" for problem in problems]), flush=True)
        failed += bool(problems)
        if arguments.table and results.get(name):
            table_of_errors.update(arguments.table, {name: results[name]})
    (arguments.work / "results.json").write_text(json.dumps(results, indent=1))
    print(f"{len(arguments.names or bugs.BUGS) - failed} of {len(arguments.names or bugs.BUGS)} as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
