#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proves on real Debian programs that culprit changes nothing: builds, flavours, tests agree.

For each program: build with plain clang 19 and with culprit at the same path; compare what is
loaded; make its flavours when the build tree is gone; run the program's own tests with all of them;
compare test by test. Those of locate (trace, suppress) have nothing to suppress here: a healthy run
must stay as it is.

Exit codes: 0 all agree; 1 some program does not; 2 wrong use; 77 skipped (no network, or missing
Debian packages: `--list-packages` says what is needed).
"""

import argparse
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parent.parent))

import build
import command
import elf_sections
import fetch
import recipe as recipes
import suite
import suite_results
import table

HERE = Path(__file__).resolve().parent
FLAVOURS = ("identity", "base", "trace", "suppress")

_printing = threading.Lock()


class FlavourError(Exception):
    """`culprit flavour` failed."""


def say(program, text):
    """One line of progress; programs run side by side."""
    with _printing:
        print(f"{program}: {text}", flush=True)


def default_work():
    """Where trees, logs and results are kept between runs."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "culprit-test" / "programs"


def default_culprit():
    """The release build of this checkout."""
    return HERE.parent.parent / "build" / "release" / "bin" / "culprit"


def plain_compiler(variant="plain"):
    """clang 19 as it is."""
    clang = shutil.which("clang-19")
    if not clang:
        raise fetch.Skip("clang-19 is not installed")
    return build.Compiler(
        variant, {"CC": "clang-19", "CXX": "clang++-19"}, build.file_identity([clang])
    )


def asan_compiler():
    """clang 19 with AddressSanitizer, for the benchmarks. What a build runs of itself may leak."""
    plain = plain_compiler("asan")
    tools = {name: f"{tool} -fsanitize=address" for name, tool in plain.tools.items()}
    return build.Compiler("asan", tools | {"ASAN_OPTIONS": "detect_leaks=0"}, plain.identity)


def culprit_compiler(culprit):
    """culprit's drivers, found beside the program itself."""
    folder = culprit.parent
    tools = {}
    for variable, name in (("CC", "culprit-cc"), ("CXX", "culprit-c++"),
                           ("AR", "culprit-ar"), ("RANLIB", "culprit-ranlib")):
        if (folder / name).exists():
            tools[variable] = str(folder / name)
    parts = sorted((folder.parent / "lib" / "culprit").rglob("*"))
    files = [culprit] + [part for part in parts if part.is_file()]
    return build.Compiler("culprit", tools, build.file_identity(files))


def make_flavour(culprit, name, executable, work):
    """Asks culprit for a flavour, keeps a copy, and returns the processor seconds it took."""
    words = shlex.join([str(culprit), "flavour", name, str(executable)])
    out = work / "logs" / f"{name}-{executable.name}.path"
    err = work / "logs" / f"{name}-{executable.name}.log"
    env = command.environment(work / "home", XDG_CACHE_HOME=work / "cache")
    done = command.run(words, work, env, out, separate_errors=err)
    if done.code != 0:
        said = err.read_text(errors="replace").strip()
        raise FlavourError(f"`{words}` ended with code {done.code}:\n{said}")
    copy = build.kept_executable(work / name, executable)
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(out.read_text().strip().splitlines()[-1], copy)
    return done.cpu_seconds


def compare_sections(recipe, left, right):
    """Names of the loaded sections that differ between two variants, over all executables."""
    differing = []
    for relative in recipe.executables:
        names = elf_sections.differing(
            build.kept_executable(left, relative).read_bytes(),
            build.kept_executable(right, relative).read_bytes(),
        )
        differing += [f"{Path(relative).name}:{name}" for name in names]
    return differing


def run_suite(recipe, variant, tree_from, work, reference):
    """Runs the tests of one variant; returns its outcomes and its comparison with plain's.

    Without a reference the variant is its own: that is plain.
    """
    executables = {
        relative: build.kept_executable(work / variant, relative)
        for relative in recipe.executables
    }
    results = suite.run(recipe, tree_from, executables, work, variant)
    (work / "logs" / f"{variant}-results.json").write_text(json.dumps(results, indent=1))
    found = suite_results.differences(reference or results, results, recipe.ignored)
    counts = suite_results.counts(results)
    say(recipe.name, f"{variant}: {counts['pass']} passed, {counts['fail']} failed, "
        f"{counts['skip']} skipped; {len(found)} differ from plain")
    for name, expected, seen in found[:10]:
        say(recipe.name, f"  {name}: {expected} with plain, {seen} with {variant}")
    return results, {"counts": counts, "differences": found}


def make_flavours(recipe, names, culprit, work, result):
    """Makes the flavours of every executable; a failure is recorded and the others go on."""
    shutil.rmtree(work / "cache", ignore_errors=True)
    made = []
    for name in names:
        shutil.rmtree(work / name, ignore_errors=True)
        try:
            total = 0.0
            for relative in recipe.executables:
                executable = build.kept_executable(work / "culprit", relative)
                total += make_flavour(culprit, name, executable, work)
        except FlavourError as error:
            result["flavour_errors"][name] = str(error).splitlines()[-1]
            say(recipe.name, str(error))
            continue
        result["flavour_seconds"][name] = round(total, 2)
        say(recipe.name, f"{name}: made in {total:.1f} s of processor time")
        made.append(name)
    return made


def file_size(folder, relative):
    """Bytes of a kept executable."""
    return build.kept_executable(folder, relative).stat().st_size


def examine(recipe, dsc, compilers, arguments):
    """Builds, compares and tests one program; returns its result."""
    work = arguments.work / recipe.name
    work.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(work / "logs", ignore_errors=True)
    result = {
        "program": recipe.name, "version": fetch.version_of(dsc), "language": recipe.language,
        "suites": {}, "flavour_seconds": {}, "flavour_errors": {},
        "identity_sections_differing": None,
    }
    builds = build.build_all(recipe, compilers, dsc, work, arguments.fresh)
    main = recipe.executables[0]
    sizes = [file_size(b.folder, main) for b in builds]
    result["build_seconds"] = [round(b.cpu_seconds, 2) for b in builds]
    result["build_ratio"] = round(builds[1].cpu_seconds / max(builds[0].cpu_seconds, 0.01), 3)
    result["size_ratio"] = round(sizes[1] / sizes[0], 3)
    result["sections_differing"] = compare_sections(recipe, builds[0].folder, builds[1].folder)
    differing = ", ".join(result["sections_differing"])
    say(recipe.name, "built; loaded sections " + (f"differ: {differing}" if differing else "equal"))
    if arguments.keep_binaries:
        keep_binaries(recipe, builds, arguments.keep_binaries)
    if arguments.build_only:
        return result
    flavours = []
    if not arguments.control:
        flavours = make_flavours(recipe, arguments.flavours, arguments.culprit, work, result)
        if "identity" in flavours:
            result["identity_sections_differing"] = compare_sections(
                recipe, builds[0].folder, work / "identity"
            )
    run_all_suites(recipe, builds, compilers[1].variant, flavours, work, result)
    return result


def run_all_suites(recipe, builds, other, flavours, work, result):
    """plain first: the rest is compared with it. The flavours run in the tree culprit built."""
    suites = result["suites"]
    reference, suites["plain"] = run_suite(recipe, "plain", builds[0].tree, work, None)
    for variant in (other, *flavours):
        _, suites[variant] = run_suite(recipe, variant, builds[1].tree, work, reference)


def keep_binaries(recipe, builds, folder):
    """Copies the program itself for the benchmarks: FOLDER/plain/NAME, FOLDER/culprit/NAME, …"""
    for built in builds:
        target = folder / built.folder.name
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy2(built.executable(recipe.executables[0]), target / recipe.name)


def agrees(result, arguments):
    """True if nothing about the program differs from plain clang."""
    if "error" in result or "skipped" in result or result["sections_differing"]:
        return False
    if arguments.build_only:
        return True
    if any(suite_result["differences"] for suite_result in result["suites"].values()):
        return False
    if arguments.control:
        return True
    return set(arguments.flavours) <= set(result["flavour_seconds"]) and not result[
        "identity_sections_differing"
    ]


def earlier_result(kept, basis, arguments):
    """The result of an earlier run, if it agreed and nothing it rests on has changed."""
    if not kept.exists():
        return None
    earlier = json.loads(kept.read_text())
    if earlier["basis"] != basis or not agrees(earlier["result"], arguments):
        return None
    return earlier["result"]


def attempt(recipe, compilers, arguments):
    """One program from download to verdict; never raises."""
    try:
        dsc = fetch.source_of(recipe, arguments.sources)
        basis = [build.stamp(recipe, compiler, dsc) for compiler in compilers]
        kept = arguments.work / recipe.name / "result.json"
        if arguments.resume and (earlier := earlier_result(kept, basis, arguments)):
            say(recipe.name, "agreed before, with the same compilers, recipe and sources")
            return earlier
        with fetch.locked(kept.parent):
            kept.unlink(missing_ok=True)
            result = examine(recipe, dsc, compilers, arguments)
            if not arguments.build_only:
                kept.write_text(json.dumps({"basis": basis, "result": result}, indent=1))
        return result
    except fetch.Skip as skip:
        say(recipe.name, f"skipped: {skip}")
        return {"program": recipe.name, "skipped": str(skip)}
    except (build.BuildError, fetch.FetchError, suite.Tampered, elf_sections.NotElf) as error:
        say(recipe.name, f"error: {error}")
        return {"program": recipe.name, "error": str(error)}
    except Exception:  # a fault of this script must not end the other programs' work
        say(recipe.name, traceback.format_exc())
        return {"program": recipe.name, "error": "run.py itself failed"}


def rerun_command(program, arguments):
    """What to type to see a failure again."""
    words = [str(HERE / "run.py"), "--programs", program, "--work", str(arguments.work)]
    words += ["--control"] if arguments.control else ["--culprit", str(arguments.culprit)]
    return " ".join(words)


def conclude(results, arguments):
    """Prints the verdicts and returns the exit code."""
    failed = [r for r in results if not agrees(r, arguments) and "skipped" not in r]
    skipped = [r for r in results if "skipped" in r]
    for result in failed:
        name = result["program"]
        print(f"{name}: differs; logs in {arguments.work / name / 'logs'}\n"
              f"  again: {rerun_command(name, arguments)}")
    print(f"{len(results) - len(failed) - len(skipped)} of {len(results)} programs agree"
          + (f", {len(skipped)} skipped" if skipped else ""))
    if failed:
        return 1
    return fetch.SKIPPED if skipped else 0


def stop(number, _frame):
    """Told to end: take the commands under way along. What was finished is kept for --resume."""
    command.end_all()
    os._exit(128 + number)  # the pool's threads would start the next program otherwise


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--programs", help="comma-separated names (default: every recipe)")
    parser.add_argument("--flavours", default=",".join(FLAVOURS),
                        help="comma-separated (default: %(default)s); a page that is written keeps "
                        "what it says of the others")
    parser.add_argument("--jobs", type=int, default=1, help="programs examined at the same time")
    parser.add_argument("--culprit", type=Path, default=default_culprit(),
                        help="the culprit program; its drivers lie beside it")
    parser.add_argument("--control", action="store_true",
                        help="use clang itself in culprit's place: a difference is the recipe's")
    parser.add_argument("--fresh", action="store_true", help="build again what was built before")
    parser.add_argument("--resume", action="store_true",
                        help="take over the results of programs that agreed in an earlier run")
    parser.add_argument("--build-only", action="store_true", help="stop after comparing sections")
    parser.add_argument("--keep-binaries", type=Path, metavar="DIR",
                        help="copy the programs to DIR/plain and DIR/culprit")
    parser.add_argument("--asan", action="store_true",
                        help="build with AddressSanitizer, too, for DIR/asan of --keep-binaries")
    parser.add_argument("--table", type=Path, metavar="DIR",
                        help="write real-programs.md and real-programs.json there")
    parser.add_argument("--work", type=Path, default=default_work(), help="kept between runs")
    parser.add_argument("--sources", type=Path, default=fetch.default_cache(),
                        help="where downloaded source packages are kept")
    parser.add_argument("--list-programs", action="store_true", help="print the programs' names")
    parser.add_argument("--list-packages", action="store_true",
                        help="print the Debian packages that the programs need")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    known = recipes.names()
    wanted = arguments.programs.split(",") if arguments.programs else known
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"run.py: error: no recipe for {', '.join(unknown)}; there are: {', '.join(known)}",
              file=sys.stderr)
        return 2
    arguments.flavours = arguments.flavours.split(",")
    if not set(arguments.flavours) <= set(FLAVOURS):
        print(f"run.py: error: there are the flavours {', '.join(FLAVOURS)}", file=sys.stderr)
        return 2
    chosen = [recipes.load(name) for name in wanted]
    if arguments.list_programs or arguments.list_packages:
        packages = {name for r in chosen for name in recipes.BASE_PACKAGES + r.packages}
        print("\n".join(wanted if arguments.list_programs else sorted(packages)))
        return 0
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    arguments.work = arguments.work.resolve()
    arguments.culprit = arguments.culprit.resolve()
    if not arguments.control and not arguments.culprit.exists():
        print(f"run.py: error: {arguments.culprit} does not exist; build the release preset or "
              "name another with --culprit", file=sys.stderr)
        return 2
    try:
        plain = plain_compiler()
    except fetch.Skip as skip:
        print(f"skipped: {skip}")
        return fetch.SKIPPED
    other = plain_compiler("control") if arguments.control else culprit_compiler(arguments.culprit)
    compilers = (plain, other, *([asan_compiler()] if arguments.asan else []))
    with ThreadPoolExecutor(max_workers=max(arguments.jobs, 1)) as pool:
        results = list(pool.map(lambda r: attempt(r, compilers, arguments), chosen))
    if arguments.table:
        version = subprocess.run([plain.tools["CC"], "--version"], text=True, check=True,
                                 stdout=subprocess.PIPE).stdout.splitlines()[0]
        report = table.report_of(results, version)
        if set(arguments.flavours) != set(FLAVOURS) or arguments.programs:
            report = table.with_earlier(report, arguments.table)
        table.write(report, arguments.table)
    return conclude(results, arguments)


if __name__ == "__main__":
    sys.exit(main())
