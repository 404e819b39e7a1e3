# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for portable.cpp: names whose new form has up to 38 characters, and one that is longer."""

BAD = ("44 letters: 4 more than the buffer, still inside its struct", "300 letters")
SIGNS = " _&!+,~()"


def name_of(random, room=38):
    """A name that needs at most `room` characters once it is escaped."""
    name, used = "", 0
    wanted = random.between(3, room)
    while used < wanted:
        if used + 3 <= wanted and name and random.chance(12):
            name, used = name + random.pick(SIGNS), used + 3
        else:
            letter = random.pick("abcdefghijklmnopqrstuvwxyz0123456789")
            name, used = name + (letter.upper() if random.chance(20) else letter), used + 1
    return name + random.pick(["", ".txt", ".TXT", ".Doc", ".jpeg", ".tar.gz", ".c", ".markdown"])


def fits(name):
    dot = name.rfind(".")
    stem = name if dot <= 0 or len(name) - dot >= 8 else name[:dot]
    return sum(1 if letter.isalnum() else 3 for letter in stem) < 40


def script(random, size):
    folders = [random.word(random.between(1, 3)) for _ in range(random.between(1, 5))]
    known = []
    yield f"folder {folders[0]}"
    for _ in range(random.between(3, 3 + size // 12)):
        choice = random.below(100)
        if choice < 70:
            name = name_of(random)
            while not fits(name):
                name = name_of(random)
            known.append(name)
            yield f"file {name}"
        elif choice < 76 and known:
            yield f"file {random.pick(known)}"
        elif choice < 84:
            yield f"folder {random.pick(folders)}"
        elif choice < 88:
            yield f"keep {random.pick('_-+,~')}"
        elif choice < 93:
            yield "undo"
        elif choice < 96:
            yield random.pick(["file -x", "file", "folder", "nothing"])
        else:
            yield "list"
    if random.chance(60):
        yield "list"


def good(random, size):
    return script(random, size)


def bad(random, size, kind):
    yield from script(random, size // 2)
    length = 44 if kind == 0 else 300
    yield "file " + "".join(random.pick("abcdefghijklmnop") for _ in range(length)) + ".txt"
    yield from script(random, size // 2)
