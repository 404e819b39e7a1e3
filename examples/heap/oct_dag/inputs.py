# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files for octree.cpp: models listed in full, and a file of symmetric ones."""

BITS = 4
SIDE = 1 << BITS
COLOURS = 30


def voxels(random, count, half):
    """A few balls of voxels: models are solid, not dust."""
    found = set()
    while len(found) < count:
        cx, cy, cz = (random.below(SIDE) for _ in range(3))
        radius = random.between(1, 3)
        for x in range(max(cx - radius, 0), min(cx + radius + 1, SIDE // 2 if half else SIDE)):
            for y in range(max(cy - radius, 0), min(cy + radius + 1, SIDE)):
                for z in range(max(cz - radius, 0), min(cz + radius + 1, SIDE)):
                    if (x - cx) ** 2 + (y - cy) ** 2 + (z - cz) ** 2 <= radius**2 + 1:
                        found.add((x, y, z))
    return sorted(found)


def script(random, size, symmetric):
    for number in range(COLOURS):
        yield f"palette c{number} {random.below(1 << 24)}"
    models = 6
    places = {}
    for number in range(models):
        listed = voxels(random, size // (8 if symmetric else 4), symmetric)
        yield f"model m{number} {BITS}" + (" symmetric" if symmetric else "")
        for x, y, z in listed:
            yield f"voxel {x} {y} {z} c{random.below(COLOURS)}"
        yield "end"
        mirrored = [(SIDE - 1 - x, y, z) for x, y, z in listed] if symmetric else []
        places[number] = listed + mirrored
    marked = []
    for _ in range(size * 5):
        number = random.below(models)
        x, y, z = random.pick(places[number])
        action = random.below(10)
        if action < 4:
            marked.append((number, x, y, z))
            yield f"mark m{number} {x} {y} {z} {random.word(3)}"
            if len(marked) > size // 2:
                number, x, y, z = marked.pop(random.below(len(marked)))
                yield f"unmark m{number} {x} {y} {z}"
        elif action < 6:
            yield f"paint m{number} {x} {y} {z} c{random.below(COLOURS)}"
        else:
            yield f"ray m{number} {y} {z}"


def good(random, size):
    return script(random, size, False)


def bad(random, size):
    return script(random, size, True)
