# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for symbols.cpp: no more functions than there is room for, and one with more."""

BAD = ("40 functions without a library", "room for a library of 60, and 100 functions")
ROOM = 32


def script(random, size, functions, variables, library):
    names = [random.word(2) + str(number) for number in range(functions)]
    values = [random.word(random.between(1, 3)) + str(number) for number in range(variables)]
    if library:
        yield f"use {library}"
    for _ in range(random.between(5, 5 + size // 6)):
        choice = random.below(100)
        if choice < 30:
            text = "; ".join(random.word(3) for _ in range(random.between(1, 5)))
            yield f"define {random.pick(names)} {random.below(5)} {text}"
        elif choice < 60:
            yield f"call {random.pick(names)}"
        elif choice < 92:
            yield f"let {random.pick(values)} {random.between(-99, 9999)}"
        elif choice < 95:
            yield "dump"
        elif choice < 97 and not library:
            yield f"use {random.between(0, 3)}"
        else:
            yield random.pick(["", "# " + random.word(3)])


def good(random, size):
    library = random.between(10, 90) if random.chance(50) else 0
    functions = random.between(2, ROOM - 4 if not library else max(ROOM, library))
    return script(random, size, functions, random.between(2, 90), library)


def bad(random, size, kind):
    functions, library = (40, 0) if kind == 0 else (100, 60)
    yield from script(random, size // 2, 20, random.between(10, 60), library)
    for number in range(functions):
        yield f"define f{number} {random.below(4)} {random.word(4)}"
        yield f"call f{random.below(number + 1)}"
    yield from script(random, size // 2, 20, 30, 0)
