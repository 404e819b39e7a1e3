#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gaps.py TOOL WORK: however close blocks lie, 16 bytes behind each belong to it and 8 bytes before it to nobody.

test/deep/programs/gaps.c writes blocks of all small sizes, allocated in one place, between others: one function what is in
them, one what is behind, one what is before. Each must meet one name: the blocks', that of memory behind them, and that of
memory of no object.

Exit codes: 0 all as expected; 1 something is not.
"""

import bisect
import os
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from names import ACCESS, MODULE, NAME, ROOT, ROW, functions_of, records  # noqa: E402

HEAP, OUTSIDE = 1, 4  # abi/run_file.h, culprit_name_kind


def names_met(run_file, program):
    """By function: {(kind, context)}."""
    functions, base, rows, names, met = functions_of(program), 0, {}, {}, {}
    for kind, payload in records(run_file):
        if kind == MODULE:
            (loaded,) = struct.unpack_from("<Q", payload)
            base = loaded if str(program).encode() in payload else base
        elif kind == ROW:
            row, _, _, address = struct.unpack_from("<IHHQ", payload)
            rows[row] = address
        elif kind == NAME:
            number, what, _, context = struct.unpack_from("<IIQI", payload)
            names[number] = (what, context)
        elif kind == ACCESS:
            row, name = struct.unpack_from("<II", payload)
            place = bisect.bisect_right(functions, (rows[row] - base, "\x7f")) - 1
            met.setdefault(functions[place][1], set()).add(names[name])
    return met


def main():
    tool, work = (Path(word).resolve() for word in sys.argv[1:3])
    work.mkdir(parents=True, exist_ok=True)
    program, run_file = work / "gaps", work / "gaps.run"
    run_file.unlink(missing_ok=True)
    subprocess.run(["gcc", "-O1", ROOT / "test" / "deep" / "programs" / "gaps.c", "-o", program], check=True)
    subprocess.run([tool, "--tool=culprit", "-q", "--vgdb=no", f"--run-file={run_file}", program], check=True,
                   env={**os.environ, "VALGRIND_LIB": str(tool.parent), "VALGRIND_LAUNCHER": str(tool)})
    met = names_met(run_file, program)
    inside = met.get("write_inside", set())
    context = next(iter(inside), (HEAP, 0))[1]
    expected = {"write_inside": {(HEAP, context)}, "write_behind": {(OUTSIDE, context)}, "write_before": {(OUTSIDE, 0)}}
    wrong = [f"{function} meets {met.get(function)}, not {names}" for function, names in expected.items()
             if context == 0 or met.get(function) != names]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
