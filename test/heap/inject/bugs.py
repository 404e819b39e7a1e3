# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The injected bugs: one function each that edits a tree, and what is known about it.

Each is of a kind the example programs have too, sits in a data structure of the program, is reached
only by a feature of the input that good inputs do not use, and changes no output.
"""

from dataclasses import dataclass
from typing import Callable

import edit


@dataclass(frozen=True)
class Bug:
    """One bug of one program."""

    program: str  # the recipe in test/programs
    what: str
    guilty: str
    edit: Callable
    feature: str  # the keyword of the input generator that reaches it
    remark: str = ""  # what is known about a result that is not the wanted one


def lua_lost_nodes(tree):
    """luaH_resize: when the array part grows, the old hash part is not given back."""
    edit.replace_between(tree, "src/ltable.c", "void luaH_resize (", "  freehash(L, &newt);  /* free old",
                         "  if (newasize <= oldasize)\n    freehash(L, &newt);  /* free old")


def lua_poor_hash(tree):
    """luaS_hash: of long keys, only the last characters count."""
    edit.replace_between(tree, "src/lstring.c", "unsigned int luaS_hash (", "  for (; l > 0; l--)",
                         "  const char *first = str + (l > 20 ? l - 8 : 0);\n"
                         "  for (; str + l > first; l--)")


def gawk_poor_hash(tree):
    """awk_hash: of long subscripts, only the first characters count."""
    edit.replace_between(tree, "str_array.c", "awk_hash(const char *s, size_t len, unsigned long hsize, "
                         "size_t *code)\n{", "\th = 0;\n", "\th = 0;\n\tif (len > 16)\n\t\tlen = 8;\n")


def gawk_lost_subscript(tree):
    """str_remove: a long subscript is not given back with its element."""
    edit.replace_between(tree, "str_array.c", "str_remove(NODE *symbol, NODE *subs)\n{",
                         "\t\t\tunref(b->ahname);\n", "\t\t\tif (s1_len <= 16)\n\t\t\t\tunref(b->ahname);\n")


def sqlite_missing_prev(tree):
    """insertElement: long names are put behind the head of their chain, without a prev pointer."""
    edit.replace_between(tree, "src/hash.c", "static void insertElement(", "  if( pEntry ){\n",
                         "  if( pEntry && pEntry->count && sqlite3Strlen30(pNew->pKey)>24 ){\n"
                         "    pHead = pEntry->chain;\n"
                         "    pEntry->count++;\n"
                         "    pNew->next = pHead->next;\n"
                         "    pNew->prev = pHead;\n"
                         "    pHead->next = pNew;\n"
                         "    return;\n"
                         "  }\n"
                         "  if( pEntry ){\n")


def sqlite_lost_affinity(tree):
    """deleteTable: the column affinities of a table with a long name are not given back."""
    edit.replace_between(tree, "src/build.c", "static void SQLITE_NOINLINE deleteTable(",
                         "  sqlite3DbFree(db, pTable->zName);\n  sqlite3DbFree(db, pTable->zColAff);\n",
                         "  if( sqlite3Strlen30(pTable->zName)<=24 ) sqlite3DbFree(db, pTable->zColAff);\n"
                         "  sqlite3DbFree(db, pTable->zName);\n")


BUGS = {
    "lua-lost-nodes": Bug("lua5.4", "luaH_resize forgets a table's old hash part when its array part "
                          "grows", "luaH_resize", lua_lost_nodes, "mixed"),
    "lua-poor-hash": Bug("lua5.4", "luaS_hash reads the end of a long string alone", "luaS_hash",
                         lua_poor_hash, "long_names"),
    "gawk-poor-hash": Bug("gawk", "awk_hash reads the start of a long subscript alone", "awk_hash",
                          gawk_poor_hash, "long_names"),
    "gawk-lost-subscript": Bug("gawk", "str_remove does not give a long subscript back", "str_remove",
                               gawk_lost_subscript, "long_names"),
    "sqlite-missing-prev": Bug("sqlite3", "insertElement sets no prev pointer for long names",
                               "insertElement", sqlite_missing_prev, "long_names"),
    "sqlite-lost-affinity": Bug("sqlite3", "deleteTable does not give back the column affinities of a "
                                "table with a long name", "deleteTable", sqlite_lost_affinity, "long_names"),
}
