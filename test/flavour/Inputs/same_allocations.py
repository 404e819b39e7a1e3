# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_allocations.py A B LEAST: two files of allocations (abi/indexing.h) tell the same blocks, with the same indexes and in
the same order; no index comes twice, and there are at least so many."""
import struct
import sys

ROW = struct.Struct("<QQ")


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    rows = list(ROW.iter_unpack(data[: len(data) // ROW.size * ROW.size]))
    while rows and rows[-1] == (0, 0):  # a mapping is longer than what was written to it
        rows.pop()
    return rows


a, b = read(sys.argv[1]), read(sys.argv[2])
for number, (one, other) in enumerate(zip(a, b)):
    if one != other:
        sys.exit(f"allocation {number}: index {one[0]:x} of {one[1]} bytes and {other[0]:x} of {other[1]} bytes")
if len(a) != len(b):
    sys.exit(f"{len(a)} allocations and {len(b)}")
indexes = [index for index, _ in a if index]
if len(set(indexes)) != len(indexes):
    sys.exit("two blocks have the same index")
if len(indexes) < int(sys.argv[3]):
    sys.exit(f"only {len(indexes)} blocks have an index")
