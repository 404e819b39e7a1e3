# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for ledger.c: as many lists as registers or more, and one with many registers before its lists."""

BAD = ("90 registers, then the 20th list", "250 registers, then the 3rd list")


def script(random, size, highest, lists):
    """`lists` is the share of the numbers that lists may have; registers grow no further than them."""
    first = random.between(0, highest)
    yield f"push {first} {random.below(1000)}"
    reached = first // 16 * 16 + 15
    for _ in range(random.between(4, 4 + size // 8)):
        choice = random.below(100)
        number = random.below(reached + 1)
        if choice < 30:
            yield f"{random.pick(['set', 'add'])} {number} {random.between(-500, 5000)}"
        elif choice < 55:
            yield f"push {number} {random.below(1000)}"
        elif choice < 65 and reached < lists:
            higher = random.between(reached, lists)
            reached = higher // 16 * 16 + 15
            yield f"push {higher} {random.below(100)}"
        elif choice < 74:
            yield f"sum {number}"
        elif choice < 80:
            yield f"clear {number}"
        elif choice < 91:
            yield f"macro {random.below(lists)} {random.word(random.between(1, 6))} {random.word(2)}"
        elif choice < 95:
            yield "show"
        else:
            yield random.pick(["set 1000 1", "push", "jump 3 4", "sum 999"])


def good(random, size):
    return script(random, size, random.between(3, 40), random.between(60, 160))


def bad(random, size, kind):
    registers, number = (90, 19) if kind == 0 else (250, 2)
    for _ in range(random.between(10, 30)):
        yield f"set {random.below(registers)} {random.below(1000)}"
        yield f"macro {random.below(registers)} {random.word(random.between(1, 6))}"
    yield f"set {registers} 1"
    yield f"push {number} {random.below(1000)}"
    yield from script(random, size, registers, 300)
