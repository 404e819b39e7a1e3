# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for assets.c: levels without variants, and one with."""


def script(random, size, variants):
    known = []
    per_frame = size // 40
    for frame in range(240):
        for number in range(per_frame):
            name = f"{random.word(3)}.{frame}.{number}"
            if known and random.chance(variants):
                yield f"variant {name} {random.pick(known[-size:])} {random.between(8, 64)}"
            else:
                yield f"load {name} {random.between(8, 64)}"
            known.append(name)
        for _ in range(per_frame // 4):
            yield f"use {random.pick(known[-size:])}"
        yield "frame"


def good(random, size):
    return script(random, size, 0)


def bad(random, size):
    return script(random, size, 45)
