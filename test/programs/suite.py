# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program's tests against one variant of it, placed at the executable's own path.

The build tree is copied back to where it was built, the variant's executables are copied over the
ones in it with their time stamps kept (so that make sees nothing to do), and the recipe's suites
and pairs run there. Afterwards the executables must still be the ones put there: a suite that
quietly rebuilt its program would test nothing.
"""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import command
import recipe as recipes
import suite_results


class Tampered(Exception):
    """The suite replaced the executable under test."""


def run(recipe, tree_from, executables, work, variant):
    """{test: outcome} of one variant; `executables`: path in the tree -> file to put there."""
    tree = work / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["cp", "-a", str(tree_from), str(tree)], check=True)
    for relative, file in executables.items():
        put(file, tree / relative)
    results = {}
    env = command.environment(work / "home", TREE=tree)
    for suite in recipe.suites:
        log = work / "logs" / f"{variant}-suite-{suite.name}.log"
        done = command.run(suite.command, tree, env, log)
        text = log.read_text(errors="replace")
        results |= suite_results.read(suite.results, text, done.code, suite.name)
    for pair in recipe.pairs:
        results[f"pair/{pair.name}"] = run_pair(recipe, pair, work, env, variant)
    for relative, file in executables.items():
        if (tree / relative).read_bytes() != Path(file).read_bytes():
            raise Tampered(f"{relative} was replaced while its tests ran")
    shutil.rmtree(tree)
    return results


def put(file, place):
    """Replaces an executable as if nothing had been built since."""
    times = place.stat()
    place.unlink()  # never write through a hard link into another file of the tree
    shutil.copyfile(file, place)
    place.chmod(0o755)
    os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))


def run_pair(recipe, pair, work, env, variant):
    """The outcome of a pair is what the command did: exit code, output and messages."""
    scratch = work / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    files = recipes.pair_files(recipe.name)
    if files.is_dir():
        shutil.copytree(files, scratch)
    else:
        scratch.mkdir(parents=True)
    out = work / "logs" / f"{variant}-pair-{pair.name}.out"
    err = work / "logs" / f"{variant}-pair-{pair.name}.err"
    done = command.run(pair.command, scratch, env, out, limit=300, separate_errors=err)
    shutil.rmtree(scratch, ignore_errors=True)
    if done.timed_out:
        return "timed out"
    said = hashlib.sha256(out.read_bytes() + b"\0" + err.read_bytes()).hexdigest()
    return f"exit {done.code}, output {said[:16]}"
