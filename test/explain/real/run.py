#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explains errors put into programs of Debian (errors.py): the chain names the guilty statement's variable and ends at the
wrong output; the passing run is the program without the error. --aligned compares runs of them with an input and with parts
of it instead.

Each program is fetched, edited and built as test/programs builds it.

Exit codes: 0 all as expected; 1 something is not; 2 wrong use; 77 skipped (no network, or missing
Debian packages, which are named).
"""

import argparse
import json
import shlex
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
import explaining
import page  # before injection, which finds another `table`
import injection

import errors

LIMIT = 30  # seconds, on two cores: shown, not judged; a machine may be busy


def built(error, with_error, arguments):
    """The program, with the error or as Debian has it."""
    change = error.edit if with_error else error.steady
    recipe = injection.program_recipe(error.program)
    dsc = injection.fetch.source_of(recipe, arguments.sources)
    compiler = injection.culprit_compiler(error.program, arguments.culprit)
    work = arguments.work / "build" / ("changed" if with_error else "unchanged") / error.program
    return injection.built(recipe, compiler, dsc, work, change).executable(error.executable)


def folder_of(files, path):
    """A folder with these files and no others."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    for name, text in files.items():
        (path / name).write_text(text)
    return path


def examine(name, arguments):
    """One error."""
    error = errors.ERRORS[name]
    good, bad = built(error, False, arguments), built(error, True, arguments)
    work = arguments.work / name
    folder = folder_of(error.files, work / "files")
    for program in (good, bad):  # the time is that of the search
        subprocess.run([arguments.culprit, "flavour", "explain", program], env=explaining.environment(work), check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    case = shlex.join(error.arguments)
    explained = explaining.explain(arguments.culprit, ["--pass", case, "--fail", case, "--pass-program", good, "-v", "--",
                                                       bad], work, folder)
    seen = explaining.summary(explained)
    found = explaining.named_at(explained.document, error.names)
    seen["named"] = f"{found[2]} at {found[1]}, step {found[0]}" if found else None
    seen["guilty"] = error.guilty
    problems = []
    if explained.code != 0 or found is None or explained.document.get("failure", {}).get("kind") != "output":
        problems.append(f"no chain that names {' or '.join(sorted(error.names))} and ends in the output {explained.told()}")
    entry = {"name": name, "what": error.what.strip(), "kind": error.kind, "language": "C", "older": True}
    return {"entry": entry, "seen": seen, "problems": problems, "output": explained.output}


def aligned(name, arguments):
    """Shares by the percentage of the input that is kept."""
    error = errors.ERRORS[name]
    program = built(error, False, arguments)
    work = arguments.work / "aligned" / name
    shares = {}
    for percent in range(90, 0, -10):
        folder = folder_of({"whole": error.long(100), "piece": error.long(percent)}, work / "files")
        path = work / "diff.json"
        words = [arguments.culprit, "diff", "-q", "--json", path, folder / "whole", folder / "piece", "--", program,
                 *error.long_arguments]
        done = subprocess.run(list(map(str, words)), env=explaining.environment(work), cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode > 1:
            raise RuntimeError(f"{shlex.join(map(str, words))}\n{done.stdout}")
        shares[str(percent)] = json.loads(path.read_text())["alignment"]
    return shares


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs (default: all)")
    parser.add_argument("--culprit", type=Path, default=examples.ROOT / "build" / "release" / "bin" / "culprit")
    parser.add_argument("--work", type=Path, default=examples.ROOT / "build" / "explain" / "real")
    parser.add_argument("--sources", type=Path, default=injection.fetch.default_cache())
    parser.add_argument("--aligned", action="store_true", help="how much of runs with parts of an input corresponds")
    parser.add_argument("--show", action="store_true", help="the reports, too")
    parser.add_argument("--table", type=Path, metavar="FILE", help="put the results into this markdown file and the .json beside it")
    arguments = parser.parse_args()
    arguments.work, arguments.culprit = arguments.work.resolve(), arguments.culprit.resolve()
    unknown = [name for name in arguments.names if name not in errors.ERRORS]
    if unknown or not arguments.culprit.exists():
        print(f"run.py: error: there is no {unknown[0] if unknown else arguments.culprit}", file=sys.stderr)
        return 2
    failed = 0
    for name in arguments.names or errors.ERRORS:
        try:
            if arguments.aligned:
                result = aligned(name, arguments)
                print(name, json.dumps(result, indent=1), flush=True)
                if arguments.table:
                    page.update(arguments.table, "aligned", {name: result})
                continue
            result = examine(name, arguments)
        except injection.fetch.Skip as skip:
            print(f"skipped: {skip}")
            return injection.fetch.SKIPPED
        except Exception:
            result = {"problems": [traceback.format_exc()]}
        seen = result.get("seen", {})
        print(f"{name}: {seen.get('named')}; {seen.get('steps')} steps, {seen.get('tests')} tests, "
              f"{seen.get('differences')} differences, {seen.get('seconds')} s", flush=True)
        if arguments.show:
            print(result.get("output", ""))
        print("".join(f"  MISSED {problem}\n" for problem in result["problems"]), end="", flush=True)
        failed += bool(result["problems"])
        if arguments.table and seen:
            page.update(arguments.table, "real", {name: page.kept(result)})
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
