# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for styles.c: parts closed one at a time, and one that closes several before a sweep."""


def script(random, size, together):
    names = [random.word(3) for _ in range(120)]
    tables = []
    closing = []
    keep = size // 8
    for number in range(keep * 8):
        yield f"open {number}"
        tables.append(number)
        for _ in range(random.between(4, 12)):
            yield f"set {number} {random.pick(names)} {random.word(random.between(2, 5))}"
        for _ in range(4):
            yield f"get {random.pick(tables)} {random.pick(names)}"
        if len(tables) + len(closing) > keep:
            closing.append(tables.pop(random.below(len(tables))))
            if len(closing) == together:
                yield "close " + " ".join(map(str, closing))
                yield "sweep"
                closing = []


def good(random, size):
    return script(random, size, 1)


def bad(random, size):
    return script(random, size, 4)
