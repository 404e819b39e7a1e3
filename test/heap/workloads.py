# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs for real programs: what each is run on, made from a seed.

A workload writes one file for each run; the program gets its path for `@@`, or the file as standard
input where the arguments have none. Features are switches of a generator that good inputs leave off:
each reaches one of the injected bugs of inject/bugs.py. gzip, lzip and compress are not here: they
hold fewer than 16 blocks, which is no heap to speak of.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "examples" / "heap"))

from generate import LARGEST, SMALLEST, Generator


@dataclass(frozen=True)
class Workload:
    """How a program is run."""

    recipe: str  # in test/programs
    executable: str  # one of the recipe's
    arguments: tuple[str, ...]  # {fixed} is a folder with the files of `fixed`
    lines: Callable  # (random, size, feature) -> lines of one input
    fixed: Callable | None = None  # folder -> writes what all runs share


LUA = """\
local state = {seed}
local size, rounds = {size}, {rounds}
local long_names, mixed = {long_names}, {mixed}
local words = {{{words}}}
local function below(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 65536 % n
end
local function name_of(number)
  if long_names then return "customers/of/the/shop/" .. number .. "/owner" end
  return "c" .. number
end

local customers, by_name, log, made, ordered = {{}}, {{}}, {{}}, 0, 0
local function id_of(number)
  if long_names then return "orders/of/this/year/" .. number .. "/final" end
  return "o" .. number
end
local function open()
  made = made + 1
  local name, balance = name_of(made), below(1000)
  local customer = {{name = name, since = made, orders = {{}}}}
  customer.pay = function(amount) balance = balance - amount return balance end
  if not by_name[name] then
    customers[#customers + 1] = customer
    by_name[name] = customer
  end
end
local function close(index)
  local customer = customers[index]
  customers[index] = customers[#customers]
  customers[#customers] = nil
  by_name[customer.name] = nil
end
local function order(customer)
  ordered = ordered + 1
  local entry = {{id = id_of(ordered), item = words[1 + below(#words)], count = 1 + below(9)}}
  entry.price = below(500)
  local list = mixed and customer or customer.orders
  list[#list + 1] = entry
  if #list > 5 then table.remove(list, 1) end
  customer.pay(entry.count * entry.price)
  log[#log % 400 + 1] = string.format("%s bought %d of %s", customer.name, entry.count, entry.item)
end
local function totals()
  return coroutine.wrap(function()
    for _, customer in ipairs(customers) do
      local sum = 0
      for _, entry in ipairs(mixed and customer or customer.orders) do
        sum = sum + entry.count * entry.price
      end
      coroutine.yield(customer.name, sum)
    end
  end)
end

local sum = 0
for round = 1, rounds do
  open()
  if #customers > size then close(1 + below(#customers)) end
  for _ = 1, {orders} do
    local customer = customers[1 + below(#customers)]
    order(by_name[customer.name])
  end
  if round % 500 == 0 then for _, total in totals() do sum = sum + total end end
end
print(made, #customers, #log, sum)
"""


def lua(random, size, feature=""):
    yield LUA.format(
        seed=random.below(1 << 30), size=size, rounds=size * 5, orders=random.between(3, 5),
        words=", ".join(f'"{random.word(random.between(1, 3))}"' for _ in range(150)),
        long_names=str(feature == "long_names").lower(), mixed=str(feature == "mixed").lower())


def lua_source(random, size, feature=""):
    """A long script to compile: functions that use each other, tables, closures."""
    names = [f"{random.word(2)}{number}" for number in range(size // 2)]
    yield "local M = {}"
    for number, name in enumerate(names):
        yield f"function M.{name}(a, b, ...)"
        yield f"  local list = {{{', '.join(str(random.below(1000)) for _ in range(random.between(2, 8)))}}}"
        yield f"  for i, v in ipairs(list) do a = a + i * v % {random.between(2, 99)} end"
        yield f"  if a > b then return M.{random.pick(names)}(b, {random.below(50)}, ...)"
        yield f"  elseif b == {number} then return function(x) return x .. '{random.word(3)}' .. a end end"
        yield f"  return select('#', ...), list[{random.between(1, 5)}], '{random.word(4)}'"
        yield "end"
    yield "return M"


AWK = """\
{
  for (i = 3; i <= NF; i++) { seen[$i]++; last[$i] = NR }
  by[$1, $2] += NF
  line[NR] = $0
  delete line[NR - 400]
}
NR % 400 == 0 {
  for (word in last)
    if (last[word] < NR - 800) { delete last[word]; delete seen[word]; dropped++ }
}
END {
  for (word in seen) { sum += seen[word] * length(word); kinds++ }
  for (pair in by) { split(pair, part, SUBSEP); weight[part[1]] += by[pair] }
  for (author in weight) authors++
  print NR, kinds, sum, dropped, authors
}
"""


def awk_lines(random, size, feature=""):
    words = [random.word(random.between(2, 3)) for _ in range(size * 2)]
    long_names = feature == "long_names"
    lines = size * 3
    for number in range(lines):
        start = number * len(words) * 2 // (lines * 3)
        line = [random.word(1), random.word(1)]
        for _ in range(random.between(4, 9)):
            word = words[start + random.below(len(words) // 3)]
            line.append("dictionary/entry/" + word if long_names else word)
        yield " ".join(line)


def awk_fixed(folder):
    (folder / "words.awk").write_text(AWK)


def sql(random, size, feature=""):
    prefix = "archive_of_the_year_before_last_" if feature == "long_names" else ""
    tables = size // 10
    for number in range(tables):
        name = f"{prefix}{random.word(2)}{number}"
        yield (f"CREATE TABLE {name}(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INT DEFAULT 1,"
               f" at REAL, CHECK(price >= 0));")
        yield f"CREATE INDEX {prefix}by_name{number} ON {name}(name);"
        if random.chance(50):
            yield f"CREATE INDEX {prefix}by_price{number} ON {name}(price, at);"
        yield "BEGIN;"
        for row in range(random.between(20, 60)):
            yield (f"INSERT INTO {name} VALUES({row}, '{random.word(4)} {random.word(5)}', "
                   f"{random.below(900)}, {random.below(100)}.5);")
        yield "COMMIT;"
        yield f"UPDATE {name} SET price = price + 1 WHERE name < '{random.word(1)}';"
        yield f"DELETE FROM {name} WHERE id % 9 = {random.below(9)};"
        yield f"SELECT count(*), sum(price), max(name) FROM {name} WHERE price > {random.below(900)};"
        for part in range(3):
            yield f"CREATE TABLE {prefix}scratch{part}(at INT, note TEXT);"
            yield f"INSERT INTO {prefix}scratch{part} SELECT price, name FROM {name} WHERE id < 9;"
            yield f"DROP TABLE {prefix}scratch{part};"
        if number % 10 == 9:
            yield "SELECT type, count(*) FROM sqlite_schema GROUP BY type;"


def bc(random, size, feature=""):
    yield "scale=20"
    yield "define f(n) { if (n < 2) return (1); return (n * f(n - 1)) }"
    yield "define g(a, b) { auto c; while (b != 0) { c = a % b; a = b; b = c }; return (a) }"
    for number in range(size // 2):
        variable = "abdehijklm"[random.below(10)]
        yield f"{variable}[{number % 200}] = {random.below(10**9)}{random.below(10**9)}.{random.below(10**9)}"
        yield f"{variable}[{number % 200}] * {random.below(10**9)} / {random.between(3, 10**6)}"
        if number % 5 == 0:
            yield f"f({random.between(8, 25)}) + g({random.below(10**9)}, {random.between(1, 10**6)})"
        if number % 20 == 0:
            yield f"sqrt({random.below(10**9)}) + e({random.below(9)})"


def dc(random, size, feature=""):
    yield "20k"
    yield "[la1-dsa lb* sb la1<F]sF"
    for number in range(size):
        yield f"{random.below(10**9)}{random.below(10**9)} {random.between(2, 10**7)} * {number % 180}:q"
        yield f"{random.below(180)};q {random.below(180)};q + v p"
        yield f"[{random.word(4)} {random.word(5)}]S{'rstuv'[random.below(5)]}"
        if number % 10 == 0:
            yield f"{random.between(5, 20)}sa 1sb lFx lb p"
        if number % 3 == 0:
            yield f"{random.below(10**6)} {random.between(3, 997)} ~ + p"


def makefile(random, size, feature=""):
    targets = size // 2
    yield "all: " + " ".join(f"t{number}" for number in range(targets))
    yield "\t@echo done"
    for number in range(targets):
        needs = {f"t{random.below(number)}" for _ in range(random.below(3))} if number else set()
        yield f"V{number} := $(patsubst %,x%,{' '.join(sorted(needs)) or random.word(2)})"
        yield f"W{number} = $(sort {' '.join(random.word(2) for _ in range(4))} $(V{number}))"
        yield f"t{number}: {' '.join(sorted(needs))}"
        yield f"\techo $@ $(V{number}) $(W{number}) $(words $(filter x%,$(W{number})))"
    yield ".PHONY: all " + " ".join(f"t{number}" for number in range(targets))


def ninja(random, size, feature=""):
    yield "rule copy\n  command = cp $in $out\n  description = copy $out\n"
    yield "rule link\n  command = cat $in > $out\n"
    for number in range(1, size * 2):
        if number % 6 == 0:
            needs = " ".join(f"o{random.between(1, number - 1)}" for _ in range(random.between(2, 5)))
            yield f"build o{number}: link {needs} | o{random.between(1, number - 1)}"
        else:
            yield f"build o{number}: copy" + (f" o{number // 2}" if number > 1 else "")
            yield f"  flags = -{random.word(2)}"


def file_list(random, size, feature=""):
    for number in range(size * 2):
        yield f"d{random.below(7)}/f{random.below(40)}"


def file_tree(folder):
    for directory in range(7):
        (folder / f"d{directory}").mkdir(parents=True, exist_ok=True)
        for number in range(40):
            text = f"{directory} {number}\n" * (number + 1)
            (folder / f"d{directory}" / f"f{number}").write_text(text)


WORKLOADS = {
    "lua": Workload("lua5.4", "src/lua", ("@@",), lua),
    "luac": Workload("lua5.4", "src/luac", ("-p", "@@"), lua_source),
    "gawk": Workload("gawk", "gawk", ("-f", "{fixed}/words.awk", "@@"), awk_lines, awk_fixed),
    "sqlite3": Workload("sqlite3", "sqlite3", ("-batch", ":memory:"), sql),
    "bc": Workload("bc", "bc/bc", ("-ql",), bc),
    "dc": Workload("bc", "dc/dc", (), dc),
    "make": Workload("make", "make", ("-n", "-f", "@@"), makefile),
    "ninja": Workload("ninja-build", "ninja", ("-n", "-f", "@@"), ninja),
    "tar": Workload("tar", "src/tar", ("-c", "-f", "-", "-C", "{fixed}", "-T", "@@"), file_list,
                    file_tree),
}


def write(workload, folder, kind, runs, first_seed, feature=""):
    """Writes the inputs of one kind: folder/KIND/NN."""
    for number in range(runs):
        random = Generator(first_seed + number)
        size = random.between(SMALLEST, LARGEST)
        path = folder / kind / f"{number:02}"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = workload.lines(random, size, feature)
        path.write_text("\n".join(lines) + "\n", encoding="ascii")


def arguments(workload, folder):
    """The program's arguments; writes the files that all runs share."""
    fixed = folder / "fixed"
    if workload.fixed:
        fixed.mkdir(parents=True, exist_ok=True)
        workload.fixed(fixed)
    return tuple(word.format(fixed=fixed) for word in workload.arguments)
