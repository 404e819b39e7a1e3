# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory maps for regions.c: good firmware leaves rows empty in two of the tables, bad in all three."""

BAD = ("one empty row among those taken", "several empty rows among those taken")


def table(random, name, rows, empty):
    """Rows of one table; those in `empty` are empty."""
    start = random.below(16) << 20
    lines = []
    for row in range(rows):
        size = 0 if row in empty else random.between(1, 400) << 12
        lines.append(f"{name} {start:x} {size:x}")
        start += size + (random.between(0, 64) << 16) + 4096
    if random.chance(40):  # the firmware does not sort
        first, second = random.below(rows), random.below(rows)
        lines[first], lines[second] = lines[second], lines[first]
    return lines


def holes(random, rows, percent):
    return {row for row in range(1, rows) if random.chance(percent)}


def script(random, size, empty):
    counts = {"total": random.between(20 if empty else 4, 40), "taken": random.between(2, 20),
              "available": random.between(3, 40)}
    lines = []
    for name, rows in counts.items():
        if name == "taken":
            rows = max(rows, 6) if empty else rows
            chosen = {2} | {row for row in range(3, rows - 1) if random.chance(empty)} if empty else set()
        else:
            chosen = holes(random, rows, random.pick([0, 10, 30]))
        lines += table(random, name, rows, chosen)
    yield from lines
    yield "boot"
    if empty or random.chance(60):
        yield "show"
    for _ in range(random.below(size // 60)):
        choice = random.below(10)
        if choice < 6:
            yield f"want {random.between(1, 40) << random.pick([10, 12, 14]):x}"
        elif choice < 8:
            yield f"back {random.below(1 << 12) << 12:x}"
        elif choice < 9:
            yield "boot"
        else:
            yield "show"
    if random.chance(30):
        yield random.pick(["halt", "want", "total 1000"])


def good(random, size):
    return script(random, size, 0)


def bad(random, size, kind):
    return script(random, size, 1 if kind == 0 else 40)
