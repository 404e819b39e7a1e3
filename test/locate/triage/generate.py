#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes crashing inputs for depot.c as a fuzzer leaves them, and which of the six errors each one reaches.

Usage: generate.py FOLDER. FOLDER/crashes has the inputs, named as AFL++ names them; FOLDER/truth.json says
for each name which error it has (as it is called in depot.c), and is not for the tool under test. Each input
is a healthy session into which one error is put, followed by one of several things that make the
program fall over. The same numbers give the same inputs everywhere.
"""

import argparse
import json
import string
from pathlib import Path
from random import Random

COUNT = 300
SEED = 20090501
BUGS = ("global_overflow", "heap_overflow", "stack_overflow", "null", "use_after_free", "double_free")
ABORTS = ("heap_overflow", "double_free")  # glibc notices these by itself

CUSTOMERS = ("anna", "bert", "carl", "dora", "emil", "fritz")
ITEMS = ("saw", "hammer", "nails", "rope", "lamp", "ladder", "paint", "brush")


def word(random, length):
    """So many letters."""
    return "".join(random.choice(string.ascii_lowercase) for _ in range(length))


class Session:
    """A healthy beginning: who is there and what was ordered."""

    def __init__(self, random):
        self.random = random
        self.customers = random.sample(CUSTOMERS, random.randint(2, 5))
        self.items = random.sample(ITEMS, random.randint(3, 7))
        self.lines = [f"customer {name}" for name in self.customers]
        self.lines += [f"item {name} {random.randint(1, 99)}" for name in self.items]
        for _ in range(random.randint(1, 8)):
            self.lines.append(self.healthy())

    def healthy(self):
        """Something that hurts nobody."""
        random = self.random
        return random.choice((
            lambda: f"order {random.choice(self.customers)} {random.choice(self.items)} {random.randint(1, 9)}",
            lambda: f"note {random.choice(self.items)} {word(random, random.randint(3, 20))}",
            lambda: f"label {random.choice(self.items)} {word(random, random.randint(3, 10))}",
            lambda: f"depot {word(random, random.randint(3, 20))}",
            lambda: "route " + "/".join(word(random, random.randint(2, 12)) for _ in range(random.randint(1, 5))),
            lambda: random.choice(("invoice", "ship", "bill", "rank", "items", "serve", "sum")),
        ))()

    def order(self):
        """An order of an item, the first of which is returned."""
        item = self.random.choice(self.items)
        self.lines.append(f"order {self.random.choice(self.customers)} {item} 2")
        return item


def global_overflow(session, random):
    """The depot's name runs over the report, and over the clerk if it is long enough."""
    over_both = random.random() < 0.5
    session.lines.append("depot " + word(random, random.randint(38, 90) if over_both else 30))
    ends = ["sum", "items", "invoice", f"order {session.customers[0]} {session.items[0]} 1"]
    return ends + ["serve"] * over_both


def heap_overflow(session, random):
    """A note with more to write out than there is room for."""
    item = random.choice(session.items)
    text = "".join(random.choice(("&", "&&", word(random, 1))) for _ in range(random.randint(40, 110)))
    if random.random() < 0.7:  # other items come to lie behind the note
        session.lines.append(f"note {item} {word(random, len(text))}")
        session.lines += [f"item {word(random, random.randint(4, 9))} 7" for _ in range(random.randint(1, 4))]
    session.lines.append(f"note {item} {text}")
    grown = f"item {word(random, 30)} 7"
    return [f"note {random.choice(session.items)} {word(random, 60)}\n{grown}", grown, f"items\n{grown}",
            f"discontinue {item}\n{grown}", f"label {item} {word(random, 90)}\n{grown}"]


def stack_overflow(session, random):
    """A stop with a name longer than a word: over the first stops, or over all that lies there."""
    stops = [word(random, random.randint(2, 9)) for _ in range(random.randint(2, 4))]
    stops.insert(random.choice((0, 2)), word(random, random.choice((24, 30, random.randint(70, 200)))))
    session.lines.append("route " + "/".join(stops))
    return ["sum", "rank"]


def null(session, random):
    """An order of somebody nobody knows."""
    session.lines.append(f"order {word(random, 7)} {random.choice(session.items)} 3")
    if random.random() < 0.5:
        session.order()
    return ["invoice", "ship", "bill", "rank\norder " + session.customers[0] + " " + session.items[0] + " 1\nrank"]


def use_after_free(session, random):
    """An item goes while it is ordered."""
    item = session.order()
    session.lines.append(f"discontinue {item}")
    session.items.remove(item)
    return ["invoice", "ship", "bill", f"order {session.customers[0]} {session.items[0]} 1\nrank\ninvoice"]


def double_free(session, random):
    """A long label is taken off and stays where it was."""
    item = random.choice(session.items)
    session.lines.append(f"label {item} {word(random, random.randint(16, 100))}")
    session.lines.append(f"unlabel {item}")
    return [f"discontinue {item}", f"label {item} {word(random, 120)}", "sum"]


def one(bug, random):
    """The text of one input."""
    session = Session(random)
    ends = globals()[bug](session, random)
    lines = session.lines + [random.choice(ends)]
    if bug in ("null", "use_after_free"):  # whatever else does not fall over
        lines.append(random.choice(ends[:3]))
    return "\n".join(lines) + "\n"


def inputs():
    """(name, text, bug) of each input."""
    random = Random(SEED)
    for number in range(COUNT):
        bug = random.choice(BUGS) if number >= len(BUGS) else BUGS[number]
        text = one(bug, random)
        signal = "06" if bug in ABORTS else "11"
        name = (f"id:{number:06},sig:{signal},src:{random.randint(0, 999):06},time:{number * 1709 + 40},"
                f"execs:{number * 5003 + 911},op:{random.choice(('havoc', 'splice'))},rep:{random.randint(1, 16)}")
        yield name, text, bug


def write(folder):
    """The inputs and the truth about them; returns the folder of the inputs."""
    crashes = folder / "crashes"
    crashes.mkdir(parents=True, exist_ok=True)
    for old in crashes.iterdir():
        old.unlink()
    truth = {}
    for name, text, bug in inputs():
        (crashes / name).write_text(text, encoding="ascii")
        truth[name] = bug
    (folder / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")
    return crashes


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    print(write(parser.parse_args().folder))


if __name__ == "__main__":
    main()
