# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for mail.c: folders of up to 40 characters, and one with a longer name."""

BAD = ("a folder with a name of 130 characters", "a folder with a name of 46 characters")


def folder_name(random):
    name = random.word(random.between(1, 4))
    while random.chance(35):
        name += random.pick(["/", ".", "-"]) + random.word(random.between(1, 3))
    return (name.title() if random.chance(25) else name)[:40]


def script(random, size, words):
    folders = [folder_name(random) for _ in range(random.between(1, 9))]
    for _ in range(random.between(4, 4 + size // 14)):
        choice = random.below(100)
        if choice < 55:
            text = " ".join(random.pick(words) if random.chance(50) else random.word(random.between(1, 4))
                            for _ in range(random.between(0, 22)))
            address = random.word(random.between(1, 4)) + random.pick(["", "@" + random.word(3)])
            yield f"mail {address} {text}{random.pick(['', '!', '?', ' (2)'])}"
        elif choice < 70:
            yield f"folder {random.pick(folders)}"
        elif choice < 78:
            yield f"rule {random.pick(words)} {random.pick(folders).lower()}"
        elif choice < 84:
            yield f"move {random.pick(folders).lower()} {random.pick(folders).lower()}"
        elif choice < 91:
            yield f"purge {random.below(6)}"
        elif choice < 95:
            yield "report"
        else:
            yield random.pick(["rule verylongwordindeed here", "purge", "hm", "folder"])


def good(random, size):
    return script(random, size, [random.word(2) for _ in range(random.between(5, 30))])


def bad(random, size, kind):
    words = [random.word(2) for _ in range(20)]
    yield from script(random, size // 2, words)
    yield "folder " + random.word(100)[:130 if kind == 0 else 46]
    yield from script(random, size // 2, words)
