# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds one program with one compiler, always in the same folder.

Programs compile their own path into themselves (`__FILE__`, install prefixes, debug information),
so two builds can only be equal byte for byte if both happen at the same path. Each build therefore
takes place in `<program>/tree` and is renamed to `<program>/<variant>/tree` when it is done; from
then on nothing is left at the path that the executable remembers.
"""

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import command
import fetch


class BuildError(Exception):
    """A recipe's command failed; the message names the log."""


@dataclass(frozen=True)
class Compiler:
    """One way to compile: the commands, and an identity that changes whenever the result may."""

    variant: str
    tools: dict[str, str]  # CC, CXX and, if given, AR and RANLIB
    identity: str


@dataclass(frozen=True)
class Built:
    """A finished build."""

    folder: Path  # <program>/<variant>
    cpu_seconds: float

    @property
    def tree(self):
        """The build tree, moved away from where it was built."""
        return self.folder / "tree"

    def executable(self, relative):
        """A copy of an executable, kept outside the tree."""
        return kept_executable(self.folder, relative)


def kept_executable(folder, relative):
    """Where an executable of a variant is kept: bin/ holds it under its own name."""
    return folder / "bin" / Path(relative).name


def file_identity(paths):
    """A hash over files' contents, in the given order."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(Path(path).read_bytes())
    return digest.hexdigest()


def stamp(recipe, compiler, dsc):
    """What a finished build depends on; equal stamps mean that nothing needs building."""
    return {
        "compiler": compiler.identity,
        "tools": compiler.tools,
        "recipe": recipe.digest,
        "source": dsc.name,
    }


def finished(recipe, compiler, dsc, work):
    """The build made before with the same recipe, sources and compiler; None if there is none."""
    folder = work / compiler.variant
    stamp_file = folder / "stamp.json"
    if not stamp_file.exists():
        return None
    found = json.loads(stamp_file.read_text())
    if found["stamp"] != stamp(recipe, compiler, dsc):
        return None
    return Built(folder, found["cpu_seconds"])


def build_all(recipe, compilers, dsc, work, fresh=False):
    """Builds the program with each compiler, unless all of that was done before.

    All or none: a build of this morning and one of a busy afternoon give no ratio of build times
    (clang's own varied by 1.4x with what else the machine did).
    """
    known = [finished(recipe, compiler, dsc, work) for compiler in compilers]
    if all(known) and not fresh:
        return known
    return [build(recipe, compiler, dsc, work) for compiler in compilers]


def build(recipe, compiler, dsc, work, edit=None):
    """Builds the program with one compiler; `edit(tree)` may change the unpacked sources first.

    Whoever edits makes the edit part of the compiler's identity, or an old build is taken for it.
    """
    folder = work / compiler.variant
    stamp_file = folder / "stamp.json"
    shutil.rmtree(folder, ignore_errors=True)
    tree = work / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    fetch.unpack(dsc, tree)
    if edit:
        edit(tree)
    cpu_seconds = _run_steps(recipe, compiler, work, tree)
    _check_executables(recipe, tree)
    (folder / "bin").mkdir(parents=True)
    for relative in recipe.executables:
        shutil.copy2(tree / relative, kept_executable(folder, relative))
    tree.rename(folder / "tree")
    temporary = stamp_file.with_suffix(".new")
    done = {"stamp": stamp(recipe, compiler, dsc), "cpu_seconds": cpu_seconds}
    temporary.write_text(json.dumps(done, indent=1))
    temporary.rename(stamp_file)
    return Built(folder, cpu_seconds)


def _run_steps(recipe, compiler, work, tree):
    """prepare, configure, build; returns the processor time of the last one alone."""
    env = command.environment(
        work / "home", CFLAGS=recipe.cflags, CXXFLAGS=recipe.cflags,
        XDG_CACHE_HOME=work / "cache", **compiler.tools,
    )
    (work / "home").mkdir(parents=True, exist_ok=True)
    cpu_seconds = 0.0
    for step in ("prepare", "configure", "build"):
        script = getattr(recipe, step)
        if not script:
            continue
        log = work / "logs" / f"{compiler.variant}-{step}.log"
        done = command.run(script, tree, env, log)
        if done.code != 0:
            raise BuildError(f"{step} with {compiler.variant} ended with code {done.code}: {log}")
        cpu_seconds = done.cpu_seconds
    return cpu_seconds


def _check_executables(recipe, tree):
    for relative in recipe.executables:
        if (tree / relative).read_bytes()[:4] != b"\x7fELF":
            # libtool's wrapper scripts: a flavour copied over one would never be run.
            raise BuildError(f"{relative} is not an executable file of its own")
