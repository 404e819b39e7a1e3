# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the inputs of the real programs' workloads (real.json), equal on every machine.

Nothing is downloaded or committed: text, numbers, scripts and build files come from one seeded
generator. Python's `random` is not used, as its methods may change between versions; the step below
is Knuth's MMIX generator.
"""

SCALE = {"small": 1, "medium": 4, "full": 40, "long": 120}


class Generator:
    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound


def text(lines, seed):
    random = Generator(seed)
    parts = ["al", "ber", "con", "der", "el", "for", "gan", "her", "in", "ker", "lo", "man"]
    words = ["".join(parts[random.below(12)] for _ in range(1 + random.below(3))) for _ in range(900)]
    for number in range(lines):
        yield " ".join([str(number), *(words[min(random.below(900), random.below(900))]
                                       for _ in range(4 + random.below(9)))])


def sql(rows):
    random = Generator(3)
    yield "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, price INT); BEGIN;"
    for number in range(rows):
        yield f"INSERT INTO item VALUES({number}, 'item{random.below(rows)}', {random.below(1000)});"
    yield "COMMIT; CREATE INDEX by_name ON item(name);"
    yield "SELECT count(DISTINCT name), sum(price) FROM item;"
    yield ("SELECT a.price, count(*) FROM item a JOIN item b ON a.name = b.name "
           "GROUP BY a.price ORDER BY 2 DESC, 1 LIMIT 20;")


def lua(scale):
    return f"""
local nodes, sum = {{}}, 0
for i = 1, {5000 * scale} do nodes[i] = {{key = "k" .. (i * 7919 % 10007), value = i}} end
table.sort(nodes, function(a, b)
  if a.key ~= b.key then return a.key < b.key end
  return a.value < b.value
end)
local index = {{}}
for i, node in ipairs(nodes) do index[node.key] = (index[node.key] or 0) + i * node.value % 1000 end
for _, value in pairs(index) do sum = sum + value end
print(sum)
""".splitlines()


def makefile(targets):
    yield "all: " + " ".join(f"t{number}" for number in range(targets))
    yield "\t@echo done"
    for number in range(targets):
        needs = " ".join(f"t{number // way}" for way in (2, 3) if 0 < number // way < number)
        yield f"V{number} := $(patsubst %,x%,{needs or 'none'})"
        yield f"t{number}: {needs}"
        yield f"\techo $@ $(V{number})"
    yield ".PHONY: all " + " ".join(f"t{number}" for number in range(targets))


def ninja(targets):
    yield "rule copy\n  command = cp $in $out"
    for number in range(1, targets):
        yield f"build o{number}: copy" + (f" o{number // 2}" if number > 1 else "")


def generate(folder, size):
    scale = SCALE[size]
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "text": text(2000 * scale, 1),
        "words": text(16000 * scale, 2),
        "numbers.bc": ["scale=" + str(60 * min(scale, 30)), "4*a(1)", "e(1)",
                       "f=1; for (i = 1; i < %d; i++) f *= i; f %% 1000000007" % (60 * scale)],
        "words.awk": ["{ for (i = 1; i <= NF; i++) { seen[$i]++; at[$i] = at[$i] % 1000 + NR } }",
                      "END { for (w in seen) sum += seen[w] * length(w) + at[w]; print sum, NR }"],
        "queries.sql": sql(4000 * scale),
        "sort.lua": lua(2 * scale),
        "big.mk": makefile(2400 * scale),
        "big.ninja": ninja(2500 * scale),
    }
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="ascii")
    tree = folder / "tree"
    for number in range(100 * scale):
        place = tree / f"d{number % 7}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"f{number}").write_text("\n".join(text(40, number)) + "\n", encoding="ascii")
