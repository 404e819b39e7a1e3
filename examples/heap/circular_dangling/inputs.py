# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for sheet.c: columns come and go by name, and one script with sliding windows."""


def script(random, size, windows):
    keep = size // 5
    columns = {}
    for number in range(keep * 10):
        table = f"t{number}"
        yield f"table {table}"
        columns[number] = []
        for column in range(random.between(3, 6)):
            yield f"column {table} c{column} {random.between(2, 9)}"
            columns[number].append(f"c{column}")
        for _ in range(4):
            other = max(0, number - random.below(keep))
            names = columns[other]
            if random.chance(50):
                yield f"fill t{other} {random.below(1000)}"
            elif windows and names:
                yield f"column t{other} w{number} {random.between(2, 9)}"
                yield f"shift t{other}"
                columns[other] = names[1:] + [f"w{number}"]
            elif random.chance(20):
                yield f"rotate t{other}"
            elif names:
                yield f"column t{other} x{number} {random.between(2, 9)}"
                yield f"drop t{other} {names.pop(random.below(len(names)))}"
                names.append(f"x{number}")
        if number >= keep:
            yield f"delete t{number - keep}"


def good(random, size):
    return script(random, size, False)


def bad(random, size):
    return script(random, size, True)
