# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for ledger.c: when the table of lists grows, it gets as many as there are registers or more;
and one where it gets fewer."""

BAD = ("90 registers, then the 20th list", "250 registers, then the 3rd list")


class Ledger:
    """Knows how far the tables of registers and lists reach, as ledger.c grows them."""

    def __init__(self, random, registers, lists):
        self.random = random
        self.registers, self.lists = registers, lists

    def register(self, highest):
        """Any number up to there; the table of registers may be ahead of that of lists."""
        number = self.random.below(highest)
        self.registers = max(self.registers, number // 16 * 16 + 16)
        return number

    def list(self, highest):
        """A list there is, or one so high that the table then has as many as there are registers."""
        number = self.random.below(highest)
        if number >= self.lists and number // 16 * 16 + 16 < self.registers:
            number = self.registers - 1
        self.lists = max(self.lists, number // 16 * 16 + 16)
        return number

    def lines(self, count, registers, lists):
        random = self.random
        for _ in range(count):
            choice = random.below(100)
            if choice < 35:
                yield f"{random.pick(['set', 'add'])} {self.register(registers)} {random.between(-500, 5000)}"
            elif choice < 68:
                yield f"push {self.list(lists)} {random.below(1000)}"
            elif choice < 75:
                number = self.list(lists)
                self.registers = max(self.registers, number // 16 * 16 + 16)
                yield f"sum {number}"
            elif choice < 80:
                yield f"clear {self.list(lists)}"
            elif choice < 91:
                yield f"macro {random.below(lists)} {random.word(random.between(1, 6))} {random.word(2)}"
            elif choice < 95:
                yield "show"
            else:
                yield random.pick(["set 1000 1", "push", "jump 3 4", "sum 999"])


def good(random, size):
    ledger = Ledger(random, 0, 0)
    yield from ledger.lines(random.between(2, 2 + size // 16), random.between(5, 60), random.between(5, 60))
    yield from ledger.lines(random.between(2, 2 + size // 16), random.between(40, 200), random.between(40, 200))


def bad(random, size, kind):
    registers, number = (90, 19) if kind == 0 else (250, 2)
    for _ in range(random.between(10, 30)):
        yield f"set {random.below(registers)} {random.below(1000)}"
        yield f"macro {random.below(registers)} {random.word(random.between(1, 6))}"
    yield f"set {registers} 1"
    yield f"push {number} {random.below(1000)}"
    yield from Ledger(random, 256, 32).lines(size // 12, registers, 300)
