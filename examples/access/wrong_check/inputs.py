# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for manual.c: sections 0 to 31 (and some that are refused), and one just or far beyond."""

BAD = ("a page of section 33", "pages of section 90, which is past the next object")


def script(random, size):
    names = [random.word(random.between(1, 3)) for _ in range(random.between(4, 60))]
    words = []
    used = random.pick([9, 12, 32])
    for _ in range(random.between(4, 4 + size // 10)):
        choice = random.below(100)
        section = str(random.below(used))
        if words and random.chance(20):
            section = random.pick(words)
        if choice < 45:
            yield f"page {section} {random.pick(names)}"
        elif choice < 65:
            yield f"find {random.pick(names) if random.chance(80) else random.word(2)}"
        elif choice < 74:
            yield f"see {section} {random.pick(names)}"
        elif choice < 82:
            yield "order " + " ".join(str(random.below(used)) for _ in range(random.between(1, 18)))
        elif choice < 90:
            words.append(random.word(2))
            yield f"alias {words[-1]} {random.below(used)}"
        elif choice < 94:
            yield "count"
        else:
            yield random.pick(["page 200 far", "page 1000 farther", "page nowhere x", "find", "read ls",
                               "alias averyverylongword 3"])


def good(random, size):
    return script(random, size)


def bad(random, size, kind):
    yield from script(random, size // 2)
    for _ in range(1 if kind == 0 else 4):
        yield f"page {33 if kind == 0 else 90} {random.word(3)}"
    yield from script(random, size // 2)
