#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the inputs of one example: generate.py NAME FOLDER makes FOLDER/{train,held,bad}/*.txt.

Each example has an inputs.py with good(random, size), and bad(random, size, kind) for each entry of
its list BAD; both yield lines. Inputs differ in length by up to some tens of times, and not every one
has every command: what a program does in its rare runs is what a model has to be told apart from.
Numbers come from the generator of the heap examples: equal on every machine.
"""

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TRAINING_RUNS = 30
HELD_OUT_RUNS = 25
SIZE = 1000  # what it means is the example's own


def load(path, name):
    """A module from a file, whose name other folders have too."""
    specification = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


heap = load(HERE.parent / "heap" / "generate.py", "heap_generate")


def inputs_of(name):
    """The module examples/access/NAME/inputs.py."""
    return load(HERE / name / "inputs.py", f"{name}_inputs")


def generate(name, folder):
    """All inputs of one example."""
    inputs = inputs_of(name)
    for kind, runs, first_seed in (("train", TRAINING_RUNS, 1), ("held", HELD_OUT_RUNS, 1001)):
        for number in range(runs):
            heap.write(folder / kind / f"{number:02}.txt",
                       inputs.good(heap.Generator(first_seed + number), SIZE))
    for number in range(len(inputs.BAD)):
        heap.write(folder / "bad" / f"{number:02}.txt",
                   inputs.bad(heap.Generator(2001 + number), SIZE, number))


def main():
    if len(sys.argv) != 3:
        print("usage: generate.py NAME FOLDER", file=sys.stderr)
        return 2
    sys.dont_write_bytecode = True
    generate(sys.argv[1], Path(sys.argv[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
