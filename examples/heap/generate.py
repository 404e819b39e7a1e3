#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the inputs of one example: generate.py NAME FOLDER makes FOLDER/{train,held,bad}/*.txt.

Each example has an inputs.py with good(random, size) and bad(random, size), which yield lines. Good
inputs for training and held-out ones come from other seeds and other sizes of the same kind; sizes
differ by a factor of about two and a half. Equal on every machine: the step below is Knuth's MMIX
generator, as the methods of Python's `random` may change between versions.
"""

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TRAINING_RUNS = 25
HELD_OUT_RUNS = 26
SMALLEST, LARGEST = 700, 1700  # what an input's `size` means is the example's own


class Generator:
    """Numbers from a seed."""

    def __init__(self, seed):
        self.state = seed * 2654435761 + 12345
        for _ in range(4):
            self.below(2)

    def below(self, bound):
        """From 0 to bound - 1."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound

    def between(self, low, high):
        """Both ends included."""
        return low + self.below(high - low + 1)

    def chance(self, percent):
        """True that often."""
        return self.below(100) < percent

    def pick(self, sequence):
        """One of them."""
        return sequence[self.below(len(sequence))]

    def word(self, syllables):
        """A name made of so many syllables."""
        return "".join(self.pick(_SYLLABLES) for _ in range(syllables))


_SYLLABLES = ("ba be bi bo bu da de di do du fa fe fi fo ga ge go ka ke ki ko la le li lo lu ma me mi "
              "mo mu na ne no pa pe po ra re ri ro ru sa se si so ta te to va ve vi vo").split()


def inputs_of(name):
    """The module examples/heap/NAME/inputs.py."""
    specification = importlib.util.spec_from_file_location(f"{name}_inputs", HERE / name / "inputs.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def write(path, lines):
    """One input."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def generate(name, folder):
    """All inputs of one example."""
    inputs = inputs_of(name)
    for kind, runs, first_seed in (("train", TRAINING_RUNS, 1), ("held", HELD_OUT_RUNS, 1001)):
        for number in range(runs):
            random = Generator(first_seed + number)
            size = random.between(SMALLEST, LARGEST)
            write(folder / kind / f"{number:02}.txt", inputs.good(random, size))
    random = Generator(2001)
    write(folder / "bad" / "00.txt", inputs.bad(random, (SMALLEST + LARGEST) // 2))


def main():
    if len(sys.argv) != 3:
        print("usage: generate.py NAME FOLDER", file=sys.stderr)
        return 2
    sys.dont_write_bytecode = True
    generate(sys.argv[1], Path(sys.argv[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
