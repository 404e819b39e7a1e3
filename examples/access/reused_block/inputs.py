# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for desk.c: the ticket looked at last is never the one merged away, and one where it is."""

BAD = ("a remark to a merged ticket whose block a person has got", "the same after 600 MB were imported")


def text_of(random):
    return " ".join(random.word(random.between(1, 3)) for _ in range(random.between(1, 6)))


class Desk:
    """Knows which tickets there are and which was looked at last."""

    def __init__(self, random):
        self.random = random
        self.open = []
        self.people = []
        self.last = None
        self.next = random.between(1, 500)

    def new(self):
        self.open.append(self.next)
        self.last = self.next
        self.next += self.random.between(1, 9)
        return f"open {self.open[-1]} {text_of(self.random)}"

    def person(self):
        self.people.append(self.random.word(3) + str(len(self.people)))
        return f"person {self.people[-1]}"

    def lines(self, count):
        random = self.random
        for _ in range(count):
            choice = random.below(100)
            ticket = random.pick(self.open) if self.open else None
            if choice < 22 or ticket is None:
                yield self.new()
            elif choice < 40:
                self.last = ticket
                yield f"remark {ticket} {text_of(random)}"
            elif choice < 50:
                yield f"again {random.word(random.between(1, 8))}"
            elif choice < 60:
                yield self.person()
            elif choice < 75 and self.people:
                self.last = ticket
                yield f"give {ticket} {random.pick(self.people)}"
            elif choice < 83:
                self.open.remove(ticket)
                self.last = None if self.last == ticket else self.last
                yield f"close {ticket}"
            elif choice < 90 and len(self.open) > 1:
                from_, to = random.pick(self.open), random.pick(self.open)
                if from_ not in (to, self.last):
                    self.open.remove(from_)
                    yield f"merge {from_} {to}"
            elif choice < 93:
                yield f"import {random.between(1, 40)}"
            elif choice < 96:
                yield "report"
            else:
                yield random.pick(["close 99999", "open 3", "remark 88888 x", "give 77777 nobody", "sing la"])


def good(random, size):
    yield from Desk(random).lines(random.between(4, 4 + size // 8))


def bad(random, size, kind):
    desk = Desk(random)
    yield from desk.lines(size // 16)
    yield desk.new()
    to = desk.last
    yield desk.new()
    yield f"remark {desk.last} {text_of(random)}"
    yield f"merge {desk.last} {to}"
    desk.open.remove(desk.last)
    if kind == 1:
        yield "import 10000"
    yield desk.person()
    yield f"again {random.word(4)}"
    yield f"again {random.word(4)}"
    desk.last = None
    yield f"give {to} {desk.people[-1]}"
    yield from desk.lines(size // 16)
