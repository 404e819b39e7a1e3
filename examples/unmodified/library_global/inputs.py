#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""inputs.py FOLDER: scripts for the station: good ones to train on and held out, and one that uses all channels."""

import pathlib
import random
import sys


def script(draw, channels):
    lines = []
    for _ in range(draw.randint(20, 40)):
        lines.append(f"channels {draw.choice(channels)}")
        lines.append(f"percent {draw.randint(80, 125)}")
        lines += [f"sample {draw.randrange(7)} {draw.randint(0, 9000)}" for _ in range(draw.randint(1, 9))]
        if draw.random() < 0.3:
            lines.append(f"level {draw.randint(3000, 8000)}")
    return "\n".join(lines) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, count, first, channels in (("train", 10, 1, (2, 3, 4, 5, 6)), ("held", 4, 101, (2, 3, 4, 5, 6)),
                                         ("bad", 2, 201, (4, 6, 7))):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number in range(count):
            (folder / name / f"{number:02}.txt").write_text(script(random.Random(first + number), channels))


main()
