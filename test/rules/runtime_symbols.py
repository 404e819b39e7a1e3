#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails if the runtime archive needs a symbol outside its allow-list, or no longer needs one that is listed.

Usage: runtime_symbols.py NM ARCHIVE LIST. List: one symbol per line, "weak" behind it if it may be missing at run
time; '#' begins a comment.
"""
import subprocess, sys

nm, archive, allowed_path = sys.argv[1:4]
allowed = {}
for line in open(allowed_path):
    words = line.split("#")[0].split()
    if words:
        allowed[words[0]] = "weak" if words[1:] == ["weak"] else "strong"

defined, needed = set(), {}
for line in subprocess.run([nm, "--format=posix", archive], check=True, capture_output=True, text=True).stdout.splitlines():
    words = line.split()
    if len(words) < 2 or words[0].endswith(":"):
        continue
    name, kind = words[0], words[1]
    if kind in "Uwv":
        needed[name] = "weak" if kind in "wv" and needed.get(name) != "strong" else "strong"
    else:
        defined.add(name)

wrong = [f"{name} ({kind}) is not allowed" for name, kind in sorted(needed.items())
         if name not in defined and (name not in allowed or kind == "strong" and allowed[name] == "weak")]
wrong += [f"{name} is listed and not needed" for name in sorted(allowed) if name not in needed]
for message in wrong:
    print(f"{allowed_path.rsplit('/', 1)[-1]}: {message}")
sys.exit(1 if wrong else 0)
