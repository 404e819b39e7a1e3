#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails on an #include that crosses the worlds (CONTRIBUTING.md, "Where things go").

Our own headers are included by path from the source root, so the first part of a quoted include is its world. System
headers are checked where a world forbids them: the runtime is freestanding, only runtime/os makes system calls.
Tests (*_test.cpp, *_for_tests.h) may include what they test and the host's library.
"""
import pathlib, re, sys

WORLDS = {"abi": {"abi"}, "pass": {"pass", "abi"}, "runtime": {"runtime", "abi", "include"}, "engine": {"engine", "abi"},
          "report": {"report", "engine", "abi"}, "cli": {"cli", "report", "engine", "abi"}, "valgrind": {"valgrind", "abi"}}
# LLVM's own headers are included with quotes, as its manual has it; only compiler and engine know LLVM.
LLVM = {"llvm", "clang"}
LLVM_WORLDS = {"pass", "engine"}
ABI_SYSTEM = {"stddef.h", "stdint.h"}
# Written by two hosted worlds (pass and engine), never included by the runtime.
ABI_HOSTED = {"abi/frame_writer.h": {"cstring", "string", "string_view", "zstd.h"}}
# Hosted in part, behind __STDC_HOSTED__: the runtime sees the rest.
ABI_PARTLY_HOSTED = {"abi/features.h": {"string_view"}}
RUNTIME_SYSTEM = {"elf.h", "emmintrin.h", "errno.h", "link.h", "pthread.h", "signal.h", "stdarg.h", "stddef.h", "stdint.h", "stdlib.h",
                  "ucontext.h"}
# Functions of libc's made anew need its types: declarations only, what is linked is runtime_symbols.txt's to say.
THREADS = ("runtime", "interface", "threads")
THREADS_SYSTEM = RUNTIME_SYSTEM | {"dlfcn.h", "fcntl.h", "linux/futex.h", "poll.h", "sched.h", "semaphore.h",
                                   "sys/epoll.h", "sys/select.h", "sys/socket.h", "sys/syscall.h", "sys/uio.h",
                                   "sys/wait.h", "time.h"}
# What a stopped run asks of the C library's streams: their layout is declared there.
STREAMS = ("runtime", "explain", "streams.cpp")
OS_SYSTEM = re.compile(r"^(linux/.*|asm/prctl\.h|sys/syscall\.h|stddef\.h|stdint\.h)$")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def breaches(path, text):
    """path: relative to the source root. Yields (line, message)."""
    world = path.parts[0]
    if world not in WORLDS or path.name.endswith(("_test.cpp", "_for_tests.h")):
        return
    in_os = path.parts[:2] == ("runtime", "os")
    system = THREADS_SYSTEM if path.parts[:3] == THREADS else RUNTIME_SYSTEM
    if path.parts == STREAMS:
        system = system | {"stdio.h"}
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        kind, name = match.groups()
        first = name.split("/")[0]
        if kind == '"' and world == "runtime" and name in ABI_HOSTED:
            yield number, f"{name} is for hosted code"
        if kind == '"' and first in LLVM and world in LLVM_WORLDS:
            continue
        if kind == '"' and first not in WORLDS[world]:
            yield number, f'{world}/ may not include "{name}" (quoted includes name a world: {", ".join(sorted(WORLDS[world]))})'
        if kind == '"' and name == "runtime/os/syscall.h" and not in_os:
            yield number, "only runtime/os makes system calls"
        if kind == "<" and world == "abi" and name not in (
                ABI_SYSTEM | ABI_HOSTED.get(str(path), set()) | ABI_PARTLY_HOSTED.get(str(path), set())):
            yield number, f"abi/ needs only {', '.join(sorted(ABI_SYSTEM))}, not <{name}>"
        if kind == "<" and world == "runtime" and not (OS_SYSTEM.match(name) if in_os else name in system):
            yield number, f"runtime/ is freestanding: <{name}> is not among its headers"


def self_test():
    cases = [("runtime/a.cpp", "#include <vector>"), ("runtime/a.cpp", '#include "engine/error.h"'),
             ("runtime/a.cpp", '#include "runtime/os/syscall.h"'), ("engine/run/a.h", '#include "runtime/heap/span.h"'),
             ("engine/a.cpp", '#include "report/text.h"'), ("abi/a.h", "#include <stdio.h>"), ("pass/a.cpp", '#include "engine/error.h"'),
             ("runtime/heap/a.cpp", "#include <sys/syscall.h>"), ("report/a.cpp", '  #  include "cli/main.h"'),
             ("cli/a.cpp", '#include "llvm/IR/Module.h"'), ("runtime/a.cpp", '#include "abi/frame_writer.h"')]
    fine = [("runtime/a_test.cpp", "#include <vector>"), ("cli/a.cpp", '#include "report/text.h"'), ("runtime/os/a.cpp", "#include <linux/mman.h>"),
            ("test/x/a.cpp", '#include "engine/error.h"'), ("engine/a.cpp", "#include <vector>"), ("pass/a.cpp", '#include "llvm/IR/Module.h"'),
            ("abi/frame_writer.h", "#include <zstd.h>")]
    missed = [c for c in cases if not list(breaches(pathlib.PurePath(c[0]), c[1]))]
    wrong = [c for c in fine if list(breaches(pathlib.PurePath(c[0]), c[1]))]
    for case in missed + wrong:
        print("misjudged:", *case)
    return 1 if missed or wrong else 0


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = pathlib.Path(sys.argv[1])
    found = 0
    for world in WORLDS:
        for path in sorted((root / world).rglob("*")):
            if path.suffix not in {".h", ".c", ".cpp", ".def", ".inc"}:
                continue
            relative = path.relative_to(root)
            for number, message in breaches(relative, path.read_text(encoding="utf-8")):
                print(f"{relative}:{number}: {message}")
                found += 1
    return 1 if found else 0


sys.exit(main())
