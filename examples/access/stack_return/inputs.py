# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for pack.c: names of up to 55 characters, and one that is longer than the packer's buffer."""

BAD = ("a name of 180 characters", "a name of 90 characters, packed by `all`")


def name_of(random):
    name = random.word(random.between(1, 4))
    if random.chance(30):
        name = random.word(random.between(1, 3)) + "/" + name
    return name[:40] + str(random.below(1000)) + random.pick([".txt", ".c", ".log", ""])


def text_of(random):
    parts = []
    for _ in range(random.between(1, 12)):
        parts.append(random.pick("abcdxyz.-# 07") * random.between(1, 14) if random.chance(60)
                     else random.word(random.between(1, 4)))
    return "".join(parts)


def script(random, size, names):
    steps = random.between(4, 4 + size // 12)
    for _ in range(steps):
        known = random.pick(names) if names else name_of(random)
        choice = random.below(100)
        if choice < 35 or not names:
            names.append(name_of(random))
            yield f"store {names[-1]} {text_of(random)}"
        elif choice < 60:
            yield f"pack {known}"
        elif choice < 75:
            yield f"pack {known}"
            yield f"unpack {known}.rl"
        elif choice < 82:
            yield f"drop {known}"
        elif choice < 88:
            yield "list"
        elif choice < 93:
            yield f"store {known} {text_of(random)}"
        elif choice < 96:
            yield f"unpack {name_of(random)}.rl"
        elif choice < 98:
            yield random.pick(["drop", "hello there", "pack"])
        else:
            yield "all"
    if random.chance(50):
        yield "all"
    if random.chance(70):
        yield "list"


def good(random, size):
    return script(random, size, [])


def bad(random, size, kind):
    names = []
    yield from script(random, size // 2, names)
    name = random.word(100)[:180 if kind == 0 else 90]
    yield f"store {name} {text_of(random)}"
    yield f"pack {name}" if kind == 0 else "all"
    yield from script(random, size // 2, names)
