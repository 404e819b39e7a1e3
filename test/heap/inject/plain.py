#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows with plain clang that the injected bugs apply, build, and change no program's output.

Needs no culprit. Exit codes: 0 so it is; 1 it is not; 77 skipped (no network).
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import injection


def output(program, arguments, path):
    """What the program prints on one input, and the seconds it took."""
    words = [str(path) if word == "@@" else word for word in arguments]
    started = time.monotonic()
    with open("/dev/null" if "@@" in arguments else path, "rb") as given:
        done = subprocess.run([program, *words], stdin=given, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60, check=False)
    return (done.returncode, done.stdout), time.monotonic() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="bugs (default: all)")
    parser.add_argument("--work", type=Path, required=True)
    arguments = parser.parse_args()
    failed = 0
    for name in arguments.names or injection.names():
        culprit = SimpleNamespace(work=arguments.work.resolve() / name, culprit=None)
        try:
            subject = injection.subject(name, culprit, injection.fetch.default_cache(),
                                        lambda variant, _: injection.plain_compiler(variant))
        except injection.fetch.Skip as skip:
            print(f"skipped: {skip}")
            return injection.fetch.SKIPPED
        slowest, differing = 0.0, []
        for path in sorted(subject.inputs.glob("*/[0-9]*")):
            buggy, seconds = output(subject.buggy, subject.arguments, path)
            fixed, _ = output(subject.fixed, subject.arguments, path)
            slowest = max(slowest, seconds)
            if buggy != fixed or buggy[0] != 0:
                differing.append(f"{path.parent.name}/{path.name}")
        print(f"{name}: slowest {slowest:.2f} s; "
              + (f"outputs differ or fail: {differing}" if differing else "all outputs equal"))
        failed += bool(differing)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
