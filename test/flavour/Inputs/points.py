#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""points.py PREFIX: prints the metric points of all run files PREFIX*, byte for byte, one line each,
file by file (own file first), and at the end how many points were verified and how many differed.
points.py --ranges FILE: writes ranges that the metrics keep coming near to.
Layouts: abi/run_file.h and abi/monitor.h."""

import struct
import sys
from pathlib import Path

POINT, VERIFY = 7, 9


def records(path):
    data = path.read_bytes()
    end = struct.unpack_from("<Q", data, 48)[0]
    at = 128
    while at < end:
        size, kind = struct.unpack_from("<IH", data, at)
        yield kind, data[at + 16:at + size]
        at += size


def main():
    if sys.argv[1] == "--ranges":
        rows = [struct.pack("<IIdd", metric, 0, low, low + 6.0)
                for metric, low in enumerate((0.0, 90.0, 0.0, 30.0, 30.0, 20.0, 10.0))]
        Path(sys.argv[2]).write_bytes(b"".join(rows))
        return
    prefix = Path(sys.argv[1])
    files = sorted(prefix.parent.glob(prefix.name + "*"), key=lambda path: len(path.name))
    verified = wrong = 0
    for number, path in enumerate(files):
        for kind, payload in records(path):
            if kind == POINT:
                print(number, payload.hex())
            elif kind == VERIFY:
                verified += 1
                wrong += struct.unpack_from("<Q", payload, 16)[0] != 0
    print(f"files {len(files)} verified {verified} wrong {wrong}")


main()
