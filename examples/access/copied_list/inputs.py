# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Telegrams for telegrams.cpp: routes of no more than four stations, and one that is longer."""

BAD = ("a route of five stations", "a route of seven stations")
ROUTE = 4


def telegrams(random, size, stations):
    for number in range(1, stations + 1):
        yield f"station {number} {random.word(random.between(2, 9))}"
    for _ in range(random.between(5, 5 + size // 6)):
        choice = random.below(100)
        number = random.between(1, stations + 1 if random.chance(5) else stations)
        if choice < 20:
            yield f"remark {number} " + " ".join(random.word(4) for _ in range(random.between(1, 9)))
        elif choice < 50:
            yield f"values {number} " + " ".join(str(random.between(-40, 60)) for _ in range(random.between(1, 12)))
        elif choice < 70:
            yield route(random, number, stations, random.between(1, ROUTE))
        elif choice < 78:
            yield f"urgent {number} {random.below(5)}"
        elif choice < 97:
            yield f"send {number}"
        else:
            yield random.pick(["", "# " + random.word(3)])


def route(random, number, stations, length):
    return f"route {number} " + " ".join(str(random.between(1, stations)) for _ in range(length))


def good(random, size):
    return telegrams(random, size, random.between(3, 40))


def bad(random, size, kind):
    stations = random.between(8, 40)
    yield from telegrams(random, size // 2, stations)
    yield route(random, random.between(1, stations), stations, 5 if kind == 0 else 7)
    yield from telegrams(random, size // 4, stations)
