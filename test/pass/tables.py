#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the tables of names in an instrumented object file (abi/sites.h), one entry per line, for FileCheck:
tables.py OBJECT [TABLE...]. Frames are found by their magic; compressed ones are read with libzstd."""
import ctypes
import json
import struct
import sys

MAGIC = b"\x7fCULPRIT"
HEADER = struct.Struct("<8sHHIQQQQ")
SITES = 5
COMPRESSED = 1
UPDATE = 1  # a mark of a definition: abi/sites.h


def decompressed(stored, size):
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    payload = ctypes.create_string_buffer(size)
    done = zstd.ZSTD_decompress(payload, ctypes.c_size_t(size), stored, ctypes.c_size_t(len(stored)))
    assert done == size, "damaged frame"
    return payload.raw


def payloads(data):
    at = data.find(MAGIC)
    while at >= 0:
        _, _, kind, flags, metadata, stored, size, _ = HEADER.unpack_from(data, at)
        start = at + HEADER.size + metadata
        if kind == SITES:
            body = data[start : start + stored]
            yield decompressed(body, size) if flags & COMPRESSED else body
        at = data.find(MAGIC, at + 1)


def located(name, entry, strings):
    """A definition or place of the locate flavours, whose texts are numbers."""
    kind, _, line, column, function, what, callee, leaves = entry[:8]  # further ones: abi/sites.h
    words = [strings[kind], f"{line}:{column}", strings[function]]
    words += [f"callee={strings[callee]}"] if callee else []
    words += [f"variable={strings[what]}"] if name == "definitions" and what else []
    words += [f"size={what}"] if name == "places" else []
    if leaves:
        parts = [strings[leaf] if name == "definitions" else f"{strings[leaf[0]]}:{strings[leaf[1]]}" for leaf in leaves]
        words.append("from=" + ",".join(parts))
    words += ["update"] if name == "definitions" and len(entry) > 10 and entry[10] & UPDATE else []
    return " ".join(words)


def text(entry):
    if "members" not in entry:
        return " ".join(f"{key}={entry[key]}" for key in sorted(entry) if key != "file")
    members = " ".join(
        f"{member['name']}@{member['start']}{'[]' if member.get('array') else ''}" for member in entry["members"]
    )
    rest = f" rest={entry['rest']}" if "rest" in entry else ""
    return f"{entry.get('type', '')} size={entry['size']}{rest}: {members}"


with open(sys.argv[1], "rb") as file:
    found = [json.loads(payload) for payload in payloads(file.read())]
for tables in found:
    for name in sys.argv[2:] or sorted(tables):
        for number, entry in enumerate(tables.get(name, [])):
            if name in ("definitions", "places"):
                print(f"{name}[{number + 1}] {located(name, entry, tables['strings'])}")
            elif name == "frames":
                print(f"{name}[{number}] {entry[0]}: " + " ".join(f"{v[0] or '-'}/{v[1]}" for v in entry[5]))
            elif name != "strings":
                print(f"{name}[{number}] {text(entry)}")
