# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for backup.c: defaults with spaces between the words, and some with tabs."""

BAD = ("30 default options with tabs between them", "9 default options, tabs between the last 8")


def option(random):
    name = random.word(random.between(1, 3))
    shape = random.below(4)
    if shape == 0:
        return "-" + name[0]
    if shape == 1:
        return f"--{name}={random.below(100)}"
    return f"--{name}\\ {random.word(2)}" if shape == 2 and random.chance(30) else "--" + name


def options(random, count, between=" "):
    return between.join(option(random) for _ in range(count))


def script(random, size):
    names = [random.word(2) for _ in range(random.between(2, 12))]
    if random.chance(80):
        yield "defaults " + options(random, random.between(1, 12), random.pick([" ", " ", "  "]))
    yield from jobs(random, size, names)


def jobs(random, size, names):
    for _ in range(random.between(3, 3 + size // 16)):
        choice = random.below(100)
        name = random.pick(names)
        if choice < 45:
            yield f"job {name} {options(random, random.between(0, 9))}".rstrip()
        elif choice < 75:
            yield f"path {name} /{random.word(2)}/{random.word(random.between(1, 5))}"
        elif choice < 82:
            yield f"drop {name}"
        elif choice < 88:
            yield "plan"
        elif choice < 95:
            yield "defaults " + options(random, random.between(1, 12))
        else:
            yield random.pick(["path nobody /x", "drop", "run all", "job"])


def good(random, size):
    return script(random, size)


def bad(random, size, kind):
    names = [random.word(2) for _ in range(8)]
    yield from script(random, size // 2)
    yield from jobs(random, size // 2, names)
    for name in names:
        yield f"job {name} {options(random, 3)}"
        yield f"path {name} /{random.word(3)}"
    if kind == 0:
        yield "defaults " + options(random, 30, "\t")
    else:
        yield "defaults " + option(random) + " " + options(random, 8, "\t")
    for name in names:
        yield f"job {name} {options(random, 2)}"
        yield f"path {name} /{random.word(3)}"
    yield "plan"
