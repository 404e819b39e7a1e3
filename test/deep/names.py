#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""names.py TOOL WRITE_NAMES WORK: local variables and members have the names that debug information gives, and only as
long as they live.

test/deep/programs/locals.c, by gcc and clang, optimised and not: each function there writes its own variables alone, so
whoever meets a local variable's name must be of that name's function; and `unnamed` has no variable with a name, so it meets
none. Then the Valgrind tool is given tables of names that are cut short, damaged and of another version: it says so, and does
not run the program.

Exit codes: 0 all as expected; 1 something is not.
"""

import bisect
import os
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULE, NAME, ACCESS, ROW, VARIABLE, OBJECT = 2, 13, 14, 24, 25, 27  # abi/records.def
RETURN, LOCAL, SAVED = 1, 2, 3  # abi/run_file.h, culprit_native_kind
GLOBAL_NAME, LOCAL_NAME = 0, 2  # culprit_name_kind
COMPILERS = (("gcc", "-O0"), ("gcc", "-O2"), ("gcc", "-O3", "-fno-omit-frame-pointer"), ("gcc", "-O1", "-gdwarf-4"),
             ("clang-19", "-O0"), ("clang-19", "-O2"), ("clang-19", "-O2", "-fno-omit-frame-pointer"))
# What is met of each function: its variable, the members that are written by pointer.
MEMBERS = {"jumps_at_times": {"here": {"x", "y", "mark", "weight"}}, "descends": {"here": {"x", "y", "mark", "weight"}}}
ARRAYS = {"last": "copy", "jumps": "local", "jumps_through_pointer": "local", "chooses": "local"}


def records(path):
    """[(kind, payload)]"""
    data = path.read_bytes()
    (end,) = struct.unpack_from("<Q", data, 48)
    at = 128
    while at < end:
        size, kind = struct.unpack_from("<IH", data, at)
        yield kind, data[at + 16:at + size]
        at += size


def functions_of(program):
    """[(address, name)] in order."""
    lines = subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout.splitlines()
    return sorted((int(line.split()[0], 16), line.split()[2]) for line in lines if line.split()[1] in "tT")


def pairs(run_file, program):
    """[(function that writes, kind, function, variable, member)] of the variables that were met."""
    functions, base, rows, variables, names, found = functions_of(program), 0, {}, {}, {}, []
    for kind, payload in records(run_file):
        if kind == MODULE:
            (loaded,) = struct.unpack_from("<Q", payload)
            base = loaded if str(program).encode() in payload else base
        elif kind == ROW:
            row, _, _, address, _, is_call = struct.unpack_from("<IHHQQI", payload)
            rows[row] = address - (1 if is_call else 0)
        elif kind == VARIABLE:
            number, _, _, _, length, what = struct.unpack_from("<IIQQII", payload)
            variables[number] = (what, payload[32:32 + length].decode(), "", "")
        elif kind == OBJECT:
            number, what, _, _, _, length = struct.unpack_from("<IIQIII", payload)
            name, function, _, _, member, _ = payload[32:32 + length].decode().split("\0")
            variables[number] = (what, function, name, member)
        elif kind == NAME:
            number, what, _, variable = struct.unpack_from("<IIQI", payload)
            if what in (GLOBAL_NAME, LOCAL_NAME):
                names[number] = variables[variable]
        elif kind == ACCESS:
            row, name = struct.unpack_from("<II", payload)
            if name in names:
                place = bisect.bisect_right(functions, (rows[row] - base, "\x7f")) - 1
                found.append((functions[place][1].split(".")[0], *names[name])) # last.constprop.0
    return found


def run(tool, names, program, run_file):
    run_file.unlink(missing_ok=True)
    environment = {**os.environ, "VALGRIND_LIB": str(tool.parent), "VALGRIND_LAUNCHER": str(tool)}
    return subprocess.run([tool, "--tool=culprit", "-q", "--vgdb=no", f"--names={names}", f"--run-file={run_file}", program],
                          env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def judge(compiler, tool, write_names, work):
    """What is wrong, as lines."""
    title = " ".join(compiler)
    program = work / title.replace(" ", "_")
    names, run_file = program.with_suffix(".names"), program.with_suffix(".run")
    names.unlink(missing_ok=True)
    subprocess.run([*compiler, "-g", ROOT / "test" / "deep" / "programs" / "locals.c", "-o", program], check=True)
    subprocess.run([write_names, names, program], check=True)
    done = run(tool, names, program, run_file)
    if done.returncode != 0:
        return [f"{title}: ends with {done.returncode} {done.stderr}"]
    wrong, met = [], {}
    for writer, kind, function, name, member in pairs(run_file, program):
        if kind in (RETURN, SAVED):
            wrong.append(f"{title}: {writer} is said to overwrite a return address")
        elif kind == LOCAL and writer != function:
            wrong.append(f"{title}: {writer} is said to write '{name}' of {function}")
        if kind == LOCAL:
            met.setdefault(function, {}).setdefault(name, set()).add(member)
    for function, variable in ARRAYS.items():
        if variable not in met.get(function, {}):
            wrong.append(f"{title}: nobody writes '{variable}' of {function}")
    for function, variables in MEMBERS.items():
        for variable, members in variables.items():
            if met.get(function, {}).get(variable) != members:
                wrong.append(f"{title}: of '{variable}' of {function} {met.get(function, {}).get(variable)} are written")
    if not met.get("shares"):
        wrong.append(f"{title}: nobody writes what is shared")
    print(f"{title}: {sum(len(members) for names in met.values() for members in names.values())} names of locals")
    return wrong


def damaged(tool, work):
    """The same of tables that are no good."""
    program = work / "gcc_-O2"
    good = program.with_suffix(".names").read_bytes()
    files = {"cut short": good[:-8], "no table": b"\0" * 400, "other version": good[:8] + b"\7" + good[9:], "empty": b""}
    for at in range(24, len(good) - len(good) % 4, 4): # numbers that are far too large
        files[f"byte {at}"] = good[:at] + b"\xf0\xff\xff\x7f" + good[at + 4:]
    wrong, refused = [], 0
    for title, content in files.items():
        if title.startswith("byte") and int(title[5:]) % 28 != 0:
            continue # every seventh, each takes half a second
        table = work / "damaged.names"
        table.write_bytes(content)
        done = run(tool, table, program, work / "damaged.run")
        if done.returncode == 1 and "the table of names" in done.stderr:
            refused += 1
        elif done.returncode != 0 or not title.startswith("byte"): # a line or a text may be any
            wrong.append(f"a table that is {title}: ends with {done.returncode} {done.stderr}")
    print(f"{refused} damaged tables refused")
    return wrong


def main():
    tool, write_names, work = (Path(word).resolve() for word in sys.argv[1:4])
    work.mkdir(parents=True, exist_ok=True)
    wrong = [line for compiler in COMPILERS for line in judge(compiler, tool, write_names, work)]
    wrong += damaged(tool, work)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
