# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maps for roads.cpp: lengths as 12.5, and a map from a country that writes 12,5."""


def script(random, size, point):
    keep = size * 2 // 3
    names = []
    for number in range(keep * 4):
        name = f"{random.word(3)}{number}"
        roads = []
        for _ in range(random.between(1, 3)):
            if names:
                other = random.pick(names[-40:])
                roads.append(f"{other}={random.between(1, 90)}{point}{random.between(1, 999)}")
        names.append(name)
        yield f"town {name}: {', '.join(roads)}"
        if len(names) > keep:
            yield f"gone {names.pop(random.below(len(names) - 60))}"
        if number % 12 == 0:
            yield f"route {random.pick(names[-80:])} {random.pick(names[-80:])}"


def good(random, size):
    return script(random, size, ".")


def bad(random, size):
    return script(random, size, ",")
