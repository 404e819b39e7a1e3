# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for scene.cpp: scenes built node by node, and one that copies subtrees too.

A building has a few floors, a floor some rooms, a room some things; old buildings make room for new
ones, so that the scene keeps its size.
"""

MATERIALS = 40


def building(random, number, things):
    house = f"house{number}"
    yield f"add {house} root m{random.below(MATERIALS)}"
    for floor in range(random.between(2, 4)):
        yield f"add {house}.{floor} {house} m{random.below(MATERIALS)}"
        for room in range(random.between(2, 4)):
            where = f"{house}.{floor}.{room}"
            yield f"add {where} {house}.{floor} m{random.below(MATERIALS)}"
            for thing in range(random.between(1, 4)):
                things.append(f"{random.word(2)}.{where}.{thing}")
                yield f"add {things[-1]} {where} m{random.below(MATERIALS)}"


def script(random, size, copies):
    for number in range(MATERIALS):
        yield f"material m{number} {random.below(256)} {random.below(256)} {random.below(256)}"
    keep = size // 20
    things = []
    for number in range(keep * 3):
        if number > 5 and random.chance(copies):
            source = max(0, number - random.between(1, keep))
            yield f"instance house{number} house{source} root"
        else:
            yield from building(random, number, things)
        if number >= keep:
            yield f"remove house{number - keep}"
        for _ in range(4):
            house = max(0, number - random.below(keep))
            yield f"path house{house}.{random.below(3)}.{random.below(3)}"
        if random.chance(30):
            yield f"move {things.pop()} house{max(0, number - random.below(keep))}.0"
        if number % 4 == 0:
            yield "update"


def good(random, size):
    return script(random, size, 0)


def bad(random, size):
    return script(random, size, 50)
