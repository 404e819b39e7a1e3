# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors put back into programs of Debian: one function each that edits a tree, the input, the answer.

Four are those of the paper's programs, as far as today's sources still have the place: bc and ncompress, gzip
and, of the same kind in the same file, tar. The others are of the same kinds in C++. Nothing of the programs is
kept here but the few words that say where to cut (test/heap/inject/edit.py).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import edit


@dataclass(frozen=True)
class Line:
    """The first line with `text` behind the one with `after`, in the edited sources."""

    file: str
    after: str
    text: str


@dataclass(frozen=True)
class Bug:
    """One error of one program."""

    program: str  # a recipe of test/programs, or of run.py
    executable: str
    kind: str
    crash: str  # how the plain run ends
    executions: int | None  # at most; None: it does not crash by itself, or not as locate lays variables out
    what: str
    edit: Callable  # of the tree
    inputs: Callable  # writes files into a folder, returns (bad run, good run)
    right: tuple[Line, ...]  # the first is the first corruption, the others are as right
    distance: int  # dependences between that and the edit (table_of_errors.py)


def bc_arrays(tree):
    """more_arrays clears up to the number of variables."""
    edit.replace_between(tree, "bc/storage.c", "\nmore_arrays (void)\n",
                         "indx < a_count; indx++)\n    arrays[indx] = NULL",
                         "indx < v_count; indx++)\n    arrays[indx] = NULL")


def bc_inputs(folder):
    """Many variables, then more arrays than there is room for."""
    bad = "".join(f"variable_{number_word(i)} = {i}\n" for i in range(200))
    bad += "".join(f"array_{number_word(i)}[1] = {i}\n" for i in range(40))
    bad += "array_aa[1] + variable_ab\n"
    good = "".join(f"variable_{number_word(i)} = {i}\n" for i in range(20)) + "x[1] = 3\nx[1] + variable_aa\n"
    return {"arguments": ["-q"], "stdin": bad}, {"arguments": ["-q"], "stdin": good}


def number_word(number):
    """bc's names have no digits at these places to spare."""
    return chr(ord("a") + number // 26) + chr(ord("a") + number % 26)


def ncompress_name(tree):
    """comprexx copies a file's name into an array of its own again."""
    file = "compress42.c"
    edit.replace_between(tree, file, "\ncomprexx(fileptr)\n", "*tempname;", " tempname[1024];")
    edit.replace_between(tree, file, "\ncomprexx(fileptr)\n",
                         "tempname = malloc(namesize + 3);\n\t\tif (tempname == NULL)", "if (namesize == 0)")
    edit.replace(tree, file, "free(tempname);", ";", 3)


def ncompress_inputs(folder):
    """A name longer than any path."""
    (folder / "file").write_text("a a a a a a a a b b b b b b b b\n" * 20)
    return {"arguments": ["-c", "A" * 3000]}, {"arguments": ["-c", "file"]}


def gzip_name(tree):
    """open_input_file copies a name without a look at its length, as gzip 1.2.4 did."""
    edit.replace_between(tree, "gzip.c", "\nopen_input_file (", "    if (sizeof ifname - 1 <= strlen (iname))\n"
                         "        goto name_too_long;\n", "")


def gzip_inputs(folder):
    """A name longer than its buffer. As with the paper's gzip, nothing that is used again lies behind it."""
    (folder / "file").write_text("plain text\n")
    return {"arguments": ["-c", "A" * 3000]}, {"arguments": ["-c", "file"]}


def gzip_suffix(tree):
    """make_ofname no longer asks whether the suffix has room."""
    edit.replace_between(tree, "gzip.c", "\nlocal int make_ofname()\n{\n",
                         "        if (sizeof ofname <= strlen (ofname) + z_len)\n            goto name_too_long;\n", "")


def gzip_suffix_inputs(folder):
    """The longest name that passes, and the longest suffix: over descriptors and the state of the buffers."""
    (folder / "file").write_text("plain text\n" * 100)
    words = ["-kf", "-S", ".abcdefghijklmnopqrstuvwxyzabc"]
    return {"arguments": [*words, "./" * 509 + "file"]}, {"arguments": [*words, "./" * 20 + "file"]}


def tar_dump(tree):
    """dumpdir_locate no longer asks whether there is a listing."""
    edit.replace_between(tree, "src/incremen.c", "\ndumpdir_locate (", "  if (!dump)\n    return NULL;\n", "")


def tar_inputs(folder):
    """The first incremental archive of a folder; an ordinary one is good."""
    (folder / "data" / "inner").mkdir(parents=True, exist_ok=True)
    for name in ("data/one", "data/two", "data/inner/three"):
        (folder / name).write_text(name + "\n")
    return ({"arguments": ["-g", "snapshot", "-cf", "out.tar", "data"]},
            {"arguments": ["-cf", "out.tar", "data"]})


def lzip_block(tree):
    """copy_block takes every block for one that does not reach behind the dictionary."""
    edit.replace(tree, "decoder.h", "fast = ( len < dictionary_size - lpos );", "fast = ( len < dictionary_size );")


def lzip_inputs(folder):
    """A member with the smallest dictionary and long matches, made by Python's own lzma.

    The decoder's window is full several times over while it copies matches of 273 bytes.
    """
    import lzma
    import struct
    import zlib
    text = b"".join(b"line %d of a text that repeats itself. " % (i % 7) for i in range(4000))

    def member(data):
        filters = [{"id": lzma.FILTER_LZMA1, "dict_size": 4096, "lc": 3, "lp": 0, "pb": 2, "nice_len": 273,
                    "mode": lzma.MODE_NORMAL}]
        raw = lzma.LZMACompressor(lzma.FORMAT_ALONE, filters=filters)
        stream = (raw.compress(data) + raw.flush())[13:]  # without the 13 bytes of that format's header
        size = 6 + len(stream) + 20
        return (b"LZIP\x01\x0c" + stream + struct.pack("<IQQ", zlib.crc32(data), len(data), size))

    (folder / "long.lz").write_bytes(member(text))
    (folder / "short.lz").write_bytes(member(text[:3000]))
    return {"arguments": ["-dc", "long.lz"]}, {"arguments": ["-dc", "short.lz"]}


def ninja_rule(tree):
    """The parser no longer asks whether a build statement's rule exists."""
    edit.replace_between(tree, "src/manifest_parser.cc", "bool ManifestParser::ParseEdge(",
                         "  if (!rule)\n"
                         "    return lexer_.Error(\"unknown build rule '\" + rule_name + \"'\", err);\n", "")


def ninja_inputs(folder):
    """A rule's name with a typing error."""
    text = "rule copy\n  command = cp $in $out\n" + "".join(f"build b{i}: copy a\n" for i in range(50))
    (folder / "a").write_text("a\n")
    (folder / "bad.ninja").write_text(text + "build c: cpoy b7\nbuild d: copy c\n")
    (folder / "good.ninja").write_text(text)
    return {"arguments": ["-n", "-f", "bad.ninja"]}, {"arguments": ["-n", "-f", "good.ninja"]}


def ddrescue_line(tree):
    """my_fgets no longer keeps to the length of its buffer."""
    edit.replace_between(tree, "mapfile.cc", "const char * my_fgets(", "if( len < maxlen ) buf[len++] = ch;",
                         "buf[len++] = ch;")


def ddrescue_inputs(folder):
    """A mapfile with one very long line."""
    head = "# Mapfile\n0x00000000     +               1\n"
    blocks = "0x00000000  0x00010000  +\n"
    (folder / "good.map").write_text(head + blocks)
    (folder / "bad.map").write_text(head + blocks.replace("\n", " " + "x" * 200000 + "\n"))
    return {"arguments": ["-t", "bad.map"]}, {"arguments": ["-t", "good.map"]}


BUGS = {
    "bc-arrays": Bug(
        "bc", "bc/bc", "heap overflow", "SIGABRT", 3, "storage.c: a table is cleared up to another one's count",
        bc_arrays, bc_inputs,
        (Line("bc/storage.c", "more_arrays (void)", "arrays[indx] = NULL;"),
         Line("bc/storage.c", "more_arrays (void)", "arrays = bc_malloc")), 1),
    "ncompress-name": Bug(
        "ncompress", "compress", "stack overflow", "SIGSEGV", 4, "compress42.c: a name is copied onto the stack",
        ncompress_name, ncompress_inputs, (Line("compress42.c", "comprexx(fileptr)", "strcpy(tempname,fileptr);"),), 0),
    "gzip-name": Bug(
        "gzip", "gzip", "global overflow", "exit 1", None, "gzip.c: a name is copied into a global",
        gzip_name, gzip_inputs, (Line("gzip.c", "open_input_file (", "strcpy(ifname, iname);"),), 0),
    "gzip-suffix": Bug(
        # The machine's stack, not the data stack, has the copy of the name right below a return address: silent here.
        "gzip", "gzip", "global overflow", "SIGSEGV", None,
        "gzip.c: a suffix is put behind a name that is too long for it", gzip_suffix, gzip_suffix_inputs,
        (Line("gzip.c", "local int make_ofname()\n{", "strcat(ofname, z_suffix);"),), 0),
    "tar-dump": Bug(
        "tar", "src/tar", "NULL dereference", "SIGSEGV", 2, "incremen.c: a listing that is not there is searched",
        tar_dump, tar_inputs, (Line("src/incremen.c", "makedumpdir (", "dump = NULL;"),), 1),
    "lzip-block": Bug(
        "lzip", "lzip", "heap overflow", "SIGSEGV", 3, "decoder.h: a match is copied over the end of the window",
        lzip_block, lzip_inputs,
        (Line("decoder.h", "void copy_block(", "buffer[lpos++] = buffer[i++]"),), 1),
    "ninja-rule": Bug(
        "ninja-build", "ninja", "NULL dereference", "SIGSEGV", 2,
        "manifest_parser.cc: a rule that is not there is taken", ninja_rule, ninja_inputs,
        (Line("src/eval_env.cc", "BindingEnv::LookupRule(", "return NULL;"),), 1),
    "ddrescue-line": Bug(
        "gddrescue", "ddrescuelog", "global overflow", "SIGSEGV", 2, "mapfile.cc: a line is longer than its buffer",
        ddrescue_line, ddrescue_inputs, (Line("mapfile.cc", "my_fgets(", "buf[len++] = ch;"),), 0),
}


def line_number(line, tree):
    """Of an answer, in the edited tree."""
    text = (Path(tree) / line.file).read_text(encoding="latin-1")
    start = text.find(line.after)
    found = text.find(line.text, start) if start >= 0 else -1
    if found < 0:
        raise edit.Stale(f"{line.file}: no {line.text!r} behind {line.after!r}")
    return text.count("\n", 0, found) + 1
