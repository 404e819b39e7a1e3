# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads metric points and verify records of a run file (abi/run_file.h), for the tests of the graph.

A reader of its own and not `culprit show`: what is under test here is the runtime, and a test of it
should not need the engine to be right.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"CULPRUN\n"
POINT, VERIFY = 7, 9  # abi/records.def
FRAME = struct.Struct("<IHHII")  # size, kind, flags, thread, commit
POINT_START = struct.Struct("<IIQQ")  # index, flags, work, entries
VERIFY_RECORD = struct.Struct("<IIQQQIIII")


class Unreadable(Exception):
    """Not a run file, or one that ends within a record."""


@dataclass(frozen=True)
class Verified:
    """A metric point compared with a full scan."""

    index: int
    threads: int  # more than one: others went on writing, so a difference says nothing
    vertexes: int
    mismatches: int
    address: int  # of the first vertex that differs, with its degrees
    graph: tuple[int, int]  # in, out
    scan: tuple[int, int]


@dataclass(frozen=True)
class Run:
    """What the tests want of a run."""

    points: int
    flags: int  # of all of them together
    entries: int  # function entries up to the last point
    verified: tuple[Verified, ...]


def read(path):
    """Every whole record of the file."""
    data = Path(path).read_bytes()
    if data[:8] != MAGIC:
        raise Unreadable(f"{path} is no run file")
    (offset,) = struct.unpack_from("<I", data, 12)
    (end,) = struct.unpack_from("<Q", data, 48)  # `committed`
    points, flags, entries, verified = 0, 0, 0, []
    while offset < end:
        size, kind, _, _, commit = FRAME.unpack_from(data, offset)
        if size < FRAME.size or offset + size > len(data) or not commit:
            raise Unreadable(f"{path}: a broken record at {offset}")
        payload = offset + FRAME.size
        if kind == POINT:
            points += 1
            _, more, _, entries = POINT_START.unpack_from(data, payload)
            flags |= more
        elif kind == VERIFY:
            index, threads, vertexes, mismatches, address, *degrees = VERIFY_RECORD.unpack_from(
                data, payload)
            verified.append(Verified(index, threads, vertexes, mismatches, address,
                                     tuple(degrees[:2]), tuple(degrees[2:])))
        offset += size
    return Run(points, flags, entries, tuple(verified))
