# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors put into programs of Debian: a function each that edits a tree, the run that then fails, and the answer. Nothing
of the programs is kept here but the few words that say where to cut (test/heap/inject/edit.py)."""

from dataclasses import dataclass
from typing import Callable

import edit


@dataclass(frozen=True)
class Error:
    """One error of one program."""

    program: str  # a recipe of test/programs
    executable: str
    kind: str
    what: str
    edit: Callable  # of the tree
    steady: Callable | None  # edit of the tree without the error: what makes its runs repeat, if they do not
    files: dict  # of the folder in which it is run
    arguments: tuple
    names: frozenset  # the guilty statement's variables
    guilty: str  # where it is
    long: Callable  # so many percent of a longer input
    long_arguments: tuple  # with @@ for its file


def make_stem(tree):
    """The stem of a pattern rule is a letter short."""
    edit.replace(tree, "src/implicit.c", "stemlen = namelen - rule->lens[ti] + 1;", "stemlen = namelen - rule->lens[ti];")


def make_long(percent):
    """A makefile with many targets."""
    names = [f"part{i:03}" for i in range(20)]
    text = "all: " + " ".join(f"{name}.o" for name in names) + "\n%.o: %.c\n\t@:\n"
    text += "".join(f"{name}.c:\n\t@:\n" for name in names[:len(names) * percent // 100])
    return text + "%.c:\n\t@:\n"


def gawk_substr(tree):
    """Positions in a text are counted from 1 and used as if from 0."""
    edit.replace(tree, "builtin.c", "\t\tindx = d_index - 1;", "\t\tindx = d_index;")


def gawk_long(percent):
    """A report over many lines."""
    lines = [f"{i % 7} name{i % 11} {i * 37 % 101}\n" for i in range(40)]
    return "".join(lines[:len(lines) * percent // 100])


def lua_steady(tree):
    """The seed of its hashes is the time; this is the macro that Lua has for another one."""
    edit.insert_before(tree, "src/lstate.c", "#if !defined(luai_makeseed)", "#define luai_makeseed(L) 0\n")


def lua_loop(tree):
    """A loop with a step ends a round too early."""
    lua_steady(tree)
    edit.replace_between(tree, "src/lvm.c", "ascending loop?", "count /= l_castS2U(step);",
                         "count = (count - 1) / l_castS2U(step);")


def lua_long(percent):
    """A script of many functions."""
    parts = [f"local function f{i}(x) local t = {{}} for k = 1, 5 do t[k] = x .. k end return #t + {i} end\n"
             f"total = (total or 0) + f{i}('n{i}')\n" for i in range(20)]
    return "".join(parts[:len(parts) * percent // 100]) + "print(total)\n"


ERRORS = {
    "make": Error("make", "make", "off by one", make_stem.__doc__, make_stem, None,
                  {"Makefile": "all: one.o two.x\n%.o: %.c\n\t@echo building $@ from $< with stem $*\n"
                               "%.x: %.c\n\t@echo other $*\n%.c:\n\t@:\n"},
                  ("-r", "-n", "all"), frozenset({"stemlen"}), "implicit.c: stemlen", make_long,
                  ("-r", "-n", "all", "-f", "@@")),
    "gawk": Error("gawk", "gawk", "off by one", gawk_substr.__doc__, gawk_substr, None,
                  {"data": "alpha beta\ngamma delta\n"},
                  ('{ print substr($1, 2, 2), $2 }', "data"), frozenset({"indx"}), "builtin.c: indx", gawk_long,
                  ("{ sum[$2] += $3; n[$1]++ } END { for (k in sum) s += sum[k]; print s, length(n) }", "@@")),
    "lua5.4": Error("lua5.4", "src/lua", "off by one", lua_loop.__doc__, lua_loop, lua_steady,
                    {"script.lua": "local names = {}\nfor i = 1, 9, 2 do names[#names + 1] = 'n' .. i end\n"
                                   "print(#names, table.concat(names, ','))\n"},
                    ("script.lua",), frozenset({"count"}), "lvm.c: count", lua_long, ("@@",)),
}
