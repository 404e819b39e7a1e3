# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""unique_points.py TRACE LEAST: every point of a trace (abi/explain.h) has an index of its own, and there are at least so
many points."""
import struct
import sys

POINT = 1
EVENT = struct.Struct("<BBHIQQQ")
seen = set()
with open(sys.argv[1], "rb") as file:
    for kind, _, _, site, index, _, _ in EVENT.iter_unpack(file.read()):
        if kind == 0:
            break
        if kind != POINT:
            continue
        if index in seen:
            sys.exit(f"two points have the index {index:x}; the second is at site {site}")
        seen.add(index)
if len(seen) < int(sys.argv[2]):
    sys.exit(f"only {len(seen)} points")
