# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A real program with an injected bug as a subject: fetched, edited, built with culprit.

The program is built twice with the same recipe, once from the edited sources and once as Debian has
them; the latter is the fixed variant.
"""

import dataclasses
import hashlib
import inspect
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent.parent / "programs"))

import build
import fetch
import recipe as recipes
import workloads
from bugs import BUGS
from edit import Stale
from subject import Subject

TRAINING_RUNS = 25
HELD_OUT_RUNS = 25

# What differs from test/programs: gawk's own switch for one malloc for each node and bucket (else a
# hundred of them share a block, and no tool that knows malloc alone can tell them apart); of sqlite3
# the shell alone.
RECIPE_CHANGES = {
    "gawk": {"cflags": "-O2 -g -DMEMDEBUG"},
    "sqlite3": {"executables": ("sqlite3",), "build": "make sqlite3",
                "configure": "./configure --disable-shared --disable-tcl --disable-readline"},
}


def names():
    """Every injected bug."""
    return list(BUGS)


def program_recipe(name):
    """The recipe of test/programs, changed as said above."""
    recipe = recipes.load(name)
    changes = RECIPE_CHANGES.get(name, {})
    digest = hashlib.sha256((recipe.digest + repr(sorted(changes.items()))).encode()).hexdigest()
    return dataclasses.replace(recipe, **changes, digest=digest)


def culprit_compiler(variant, culprit):
    """culprit's drivers beside the program `culprit`."""
    folder = Path(culprit).parent
    tools = {variable: str(folder / name)
             for variable, name in (("CC", "culprit-cc"), ("CXX", "culprit-c++"),
                                    ("AR", "culprit-ar"), ("RANLIB", "culprit-ranlib"))
             if (folder / name).exists()}
    parts = sorted((folder.parent / "lib" / "culprit").rglob("*"))
    files = [Path(culprit)] + [part for part in parts if part.is_file()]
    return build.Compiler(variant, tools, build.file_identity(files))


def plain_compiler(variant):
    """clang 19 as it is: shows that an edit applies, builds and changes no output."""
    return build.Compiler(variant, {"CC": "clang-19", "CXX": "clang++-19"}, "clang-19")


def built(recipe, compiler, dsc, work, change=None):
    """Builds unless it was built before from the same sources with the same edit."""
    if change:
        identity = hashlib.sha256((compiler.identity + inspect.getsource(change)).encode()).hexdigest()
        compiler = dataclasses.replace(compiler, identity=identity)
    with fetch.locked(work):  # two subjects may want the same program
        return build.finished(recipe, compiler, dsc, work) or build.build(
            recipe, compiler, dsc, work, change)


def debian_program(name, arguments, variant="unchanged", change=None):
    """A program of Debian built with culprit; what needs it as it is shares one build."""
    recipe = program_recipe(name)
    dsc = fetch.source_of(recipe, arguments.sources)
    compiler = culprit_compiler(variant, arguments.culprit)
    return built(recipe, compiler, dsc, arguments.work / "build" / name, change)


def write_inputs(bug, folder):
    """Good inputs for training, held-out ones, and the bad one; returns the arguments."""
    workload = next(w for w in workloads.WORKLOADS.values() if w.recipe == bug.program)
    workloads.write(workload, folder, "train", TRAINING_RUNS, 1)
    workloads.write(workload, folder, "held", HELD_OUT_RUNS, 1001)
    workloads.write(workload, folder, "bad", 1, 2001, bug.feature)
    return workload, workloads.arguments(workload, folder)


def subject(name, culprit, sources, compiler=culprit_compiler):
    """Fetches, edits and builds; `culprit` is a tool.Tool."""
    bug = BUGS[name]
    recipe = program_recipe(bug.program)
    dsc = fetch.source_of(recipe, sources)
    inputs = culprit.work / "inputs"
    workload, arguments = write_inputs(bug, inputs)
    # All variants of a program are built at one path: sites are named by their source's path.
    work = culprit.work.parent / "build" / bug.program
    buggy = built(recipe, compiler(name, culprit.culprit), dsc, work, bug.edit)
    fixed = built(recipe, compiler("unchanged", culprit.culprit), dsc, work)
    return Subject(name, bug.what, bug.guilty, buggy.executable(workload.executable),
                   fixed.executable(workload.executable), inputs, arguments)
