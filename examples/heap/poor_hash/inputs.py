# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Logs for sessions.c: keys of short random words, and a log whose keys name the server first."""


def script(random, size, prefix):
    keep = size
    alive = []
    for number in range(size * 4):
        key = f"{prefix}{random.word(4)}{number % 97}"
        alive.append(key)
        yield f"login {key} {random.word(2)}"
        for _ in range(random.between(1, 4)):
            yield f"page {random.pick(alive[-keep:])} /{random.word(3)}/{random.below(100)}.html"
        if random.chance(10):
            yield f"logout {random.pick(alive[-keep:])}"
        if number % 50 == 49:
            yield f"expire {keep}"


def good(random, size):
    return script(random, size, "")


def bad(random, size):
    return script(random, size, "frontend-eu-1/")
