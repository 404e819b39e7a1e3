# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for places.c: places all over a town, and a town of a few long straight streets."""

DISTRICTS = 16


def position(random, street):
    if street:
        return 1000 * random.between(1, 2), random.below(100000)
    return random.below(100000), random.below(100000)


def script(random, size, street):
    known = [[] for _ in range(DISTRICTS)]
    added = 0
    for step in range(size * 9):
        district = random.below(DISTRICTS)
        x, y = position(random, street)
        if added < size * 2 or random.chance(25):
            name = f"{random.word(3)}{added}"
            known[district].append(name)
            added += 1
            yield f"place {district} {name} {x} {y}"
            if len(known[district]) > size * 2 // DISTRICTS:
                yield f"close {district} {known[district].pop(random.below(len(known[district])))}"
        else:
            yield f"near {district} {x} {y}"


def good(random, size):
    return script(random, size, False)


def bad(random, size):
    return script(random, size, True)
