# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shown_commands.py ROOT BIN: runs every command of the `console` blocks in README.md and docs/*.md in a copy of the
example they speak of (```console NAME: examples/NAME; without one, the playlist), and compares what it prints with
what the document shows. Then checks that every option and command the documents name in `culprit …` is one that exists.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile


def blocks(path):
    """[(example, text)]"""
    found = re.findall(r"^```console(?: (\S+))?\n(.*?)^```", open(path).read(), re.S | re.M)
    return [(example or "playlist", text) for example, text in found]


def steps(block):
    """[(command, expected output)]"""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return [(command, "".join(line + "\n" for line in lines)) for command, lines in found]


def run_block(path, block, examples, example, environment):
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(shutil.copytree(examples, os.path.join(place, "examples")), example)
        environment = {**environment, "XDG_CACHE_HOME": os.path.join(place, "cache")}
        for command, expected in steps(block):
            done = subprocess.run(command, shell=True, cwd=folder, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            # Talk (standard error) and data (standard output) may interleave differently than in a terminal.
            if sorted(done.stdout.splitlines()) != sorted(expected.splitlines()):
                sys.exit(f"{path}: `{command}` printed\n{done.stdout}\nbut the document shows\n{expected}")


def check_named_commands(path, environment):
    for command in sorted(set(re.findall(r"`culprit ([a-z+]+)", open(path).read()))):
        if command in ("cc", "c++"):
            continue
        done = subprocess.run(["culprit", command, "--help"], env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
        if done.returncode != 0:
            sys.exit(f"{path} names `culprit {command}`, which there is not")


def main():
    root, binaries = sys.argv[1:]
    environment = {**os.environ, "PATH": binaries + os.pathsep + os.environ["PATH"]}
    count = 0
    documents = [os.path.join(root, "README.md"), *sorted(glob.glob(os.path.join(root, "docs", "*.md")))]
    for path in documents:
        for example, block in blocks(path):
            run_block(path, block, os.path.join(root, "examples"), example, environment)
            count += 1
        check_named_commands(path, environment)
    if count == 0:
        sys.exit("no console block was found: the documents' form has changed")


main()
