# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How to build and test one real program: a TOML file in recipes/, read into plain data.

Commands are shell text, run with `set -e` in the source tree, with CC, CXX, CFLAGS and CXXFLAGS (AR
and RANLIB, if given) in the environment. A recipe never names a compiler or a path outside its
tree: the same recipe serves every variant, and the variant under test lies at the executable's own
path.
"""

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent

# What every recipe may take for granted.
BASE_PACKAGES = ("clang-19", "dpkg-dev", "make", "patch", "xz-utils")


@dataclass(frozen=True)
class Suite:
    """One of the program's own test suites."""

    name: str
    command: str
    results: str  # which parser of suite_results.py reads its output


@dataclass(frozen=True)
class Pair:
    """A fixed input: the command's output, messages and exit code must equal plain clang's."""

    name: str
    command: str


@dataclass(frozen=True)
class Recipe:
    """Everything known about one program."""

    name: str
    source: str
    language: str
    executables: tuple[str, ...]  # the first one is the program, the rest serve its suite
    packages: tuple[str, ...]
    cflags: str
    prepare: str
    configure: str
    build: str
    suites: tuple[Suite, ...]
    pairs: tuple[Pair, ...]
    ignored: dict[str, str]  # test name -> why its outcome may differ between two runs
    digest: str


def parse(name, text):
    """Reads one recipe; a key that is not known is an error, so that no line is silently dead."""
    table = tomllib.loads(text)
    suites = tuple(Suite(**entry) for entry in table.pop("suite", []))
    pairs = tuple(Pair(**entry) for entry in table.pop("pair", []))
    recipe = Recipe(
        name=name,
        source=table.pop("source"),
        language=table.pop("language"),
        executables=tuple(table.pop("executables")),
        packages=tuple(table.pop("packages", [])),
        cflags=table.pop("cflags", "-O2 -g"),
        prepare=table.pop("prepare", ""),
        configure=table.pop("configure", ""),
        build=table.pop("build"),
        suites=suites,
        pairs=pairs,
        ignored=table.pop("ignored", {}),
        digest=hashlib.sha256(text.encode()).hexdigest(),
    )
    if table:
        raise ValueError(f"{name}: unknown keys {', '.join(table)}")
    return recipe


def names():
    """Every program that has a recipe."""
    return sorted(path.stem for path in (HERE / "recipes").glob("*.toml"))


def load(name):
    """The recipe of one program."""
    return parse(name, (HERE / "recipes" / f"{name}.toml").read_text())


def pair_files(name):
    """Folder of the files that the program's pairs read, if it has one."""
    return HERE / "pairs" / name
