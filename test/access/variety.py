# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs for real programs that do not all do the same: each takes some of the pieces below.

The workloads of test/heap fill a heap, every run with the same few operations. Access sets depend on
which code runs, so an input here is a short workload of that kind with a random choice of pieces, each
of which reaches other code of the program. {a}, {b} are numbers, {w}, {v} words, made anew each time.
"""

import dataclasses

import workloads

CHANCE = 35  # per cent, of each piece

LUA = (
    "local t = {{}} for i = 1, {a} do t[i] = ({b} * i) % 97 end table.sort(t) print(t[1], #t)",
    "table.sort(words, function(x, y) return #x > #y or (#x == #y and x < y) end) print(words[1])",
    "print((('{w} {v}'):rep(3):gsub('%a+', string.upper)))",
    "for k, v in ('a={a},b={b}'):gmatch('(%w+)=(%w+)') do print(k, tonumber(v) + 1) end",
    "print(pcall(error, {{code = {a}}}), pcall(function() return nil + 1 end))",
    "local m = setmetatable({{}}, {{__index = function(_, k) return k .. '{w}' end, __call = print}}) m(m.x)",
    "local s = {{}} for i = 1, 40 do s[#s + 1] = string.format('%5.2f|%-8s|%x', i / 3, '{v}', i) end print(#table.concat(s, ';'))",
    "local c = coroutine.create(function(x) local y = coroutine.yield(x + 1) error('{w}' .. y) end) print(coroutine.resume(c, {a}), coroutine.resume(c, 2))",
    "local f = load('return {a} + {b} * 2') print(f())",
    "print(string.pack('<i4z', {a}, '{w}'):byte(1, -1))",
    "local w = setmetatable({{}}, {{__mode = 'k'}}) for i = 1, 50 do w[{{}}] = i end collectgarbage() print(next(w))",
    "print(utf8.char(955, 8364, {a} + 100), #utf8.char(8364))",
    "for i = {a}, 1, -7 do if i % 5 == 0 then goto done end end ::done:: print(math.type({a} // 3), 7.5 // 2)",
    "print(os.time({{year = 2020, month = 1, day = 1 + {a} % 27, hour = 12}}) > 0, select('#', table.unpack({{1, 2, nil, 4}}, 1, 4)))",
    "collectgarbage('generational') for i = 1, 200 do local t = {{i, tostring(i)}} end collectgarbage('incremental')",
    "local q = {{}} for i = 1, 30 do table.insert(q, 1, i) end while #q > 0 do table.remove(q, 1) end print(#q)",
)

SQL = (
    "CREATE VIEW v{a} AS SELECT type, name FROM sqlite_schema; SELECT count(*) FROM v{a};",
    "CREATE TABLE x{a}(k TEXT UNIQUE, n INT); INSERT OR REPLACE INTO x{a} VALUES('{w}', {b}), ('{v}', 1), ('{w}', 2); SELECT * FROM x{a} ORDER BY n DESC;",
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {a}) SELECT sum(i), group_concat(i % 7) FROM c;",
    "SELECT upper('{w}') || printf('%05d', {a}), substr('{v}', 2, 3), round({b} / 7.0, 2), date('2020-01-01', '+{a} days');",
    "CREATE TABLE y{a}(i INT, s TEXT); CREATE TRIGGER t{a} AFTER INSERT ON y{a} BEGIN UPDATE y{a} SET s = s || '!' WHERE i = new.i; END; INSERT INTO y{a} VALUES(1, '{w}'), (2, '{v}'); SELECT * FROM y{a};",
    "SELECT json_extract('{{\"a\": [{a}, {b}]}}', '$.a[1]'), json_group_array(value) FROM json_each('[1, 2, {a}]');",
    "SELECT type, row_number() OVER (PARTITION BY type ORDER BY name) FROM sqlite_schema LIMIT 5;",
    "SAVEPOINT s; CREATE TABLE z{a}(q); INSERT INTO z{a} VALUES({b}); ROLLBACK TO s; RELEASE s;",
    "CREATE TABLE p{a}(i PRIMARY KEY, j) WITHOUT ROWID; INSERT INTO p{a} VALUES({a}, {b}), ({b} + 1000, 2); DELETE FROM p{a} WHERE i = {a}; SELECT * FROM p{a};",
    "SELECT a.name, b.name FROM sqlite_schema a JOIN sqlite_schema b ON a.tbl_name = b.tbl_name LIMIT 3;",
    "SELECT * FROM no_such_table_{w};",
    "EXPLAIN QUERY PLAN SELECT name FROM sqlite_schema WHERE name LIKE '{w}%' OR rootpage IN (1, {a});",
    "SELECT count(DISTINCT type), total(rootpage), min(name) FROM sqlite_schema HAVING count(*) > {a} % 3;",
    "PRAGMA user_version = {a}; PRAGMA user_version; ANALYZE; VACUUM;",
    "CREATE TABLE b{a}(x BLOB); INSERT INTO b{a} VALUES(zeroblob({b} * 20)), (x'c0ffee'), (randomblob(0)); SELECT length(x), hex(substr(x, 1, 3)) FROM b{a};",
)

BC = (
    "obase=16\n{a}{b}\nobase=10",
    "ibase=2\n101101\nibase=A",
    "scale={a}\n{b} / 7\nscale=20",
    "for (i = 0; i < 12; i++) {{ if (i % 5 == 4) break; q[i] = i ^ 3; q[i] }}",
    "print \"{w} \", {a} * {b}, \"\\n\"",
    "define h(x[]) {{ auto i, s; for (i = 0; i < 5; i++) s += x[i]; return (s) }}\nh(q[])",
    "length({a}.{b}) + scale({a}.{b}0)",
    "s({a}) + c({b}) * a(1) + l({a} + 1)",
    "{a} ^ 40 % {b} ^ 3",
    "x = {a}; x += 3; x *= x; x--; -x; x == {b} || x > 3 && !x",
    "j(2, {a} % 10)",
    "while (k < 8) k = k + 1; k",
    "\"{v}\"\n/* a remark */ 1 # and one more",
    "sqrt({a}.{b}) - {a}.5 ^ -2",
    "1 / 0",
    "define u(x) {{ if (x > 3) {{ return (x) }} else {{ return (-x) }} }}\nu({a}) + u(2)",
)

AWK = (
    "{{ n[$1]++ }} END {{ for (k in n) c++; print c }}",
    "/{w}/ {{ hits++ }} END {{ print hits + 0 }}",
    "{{ gsub(/[aeiou]/, \"*\"); t = t substr($0, 1, 3) }} END {{ print length(t) }}",
    "NR == {a} % 40 {{ print toupper($2), index($0, \"{v}\"), match($0, /b[aeo]+/), RSTART }}",
    "NF > 6 {{ $3 = \"{w}\"; sum += length($0) }} END {{ printf \"%d %5.2f %s|\\n\", sum, sum / 7, \"{v}\" }}",
    "END {{ m = split(\"{w}-{v}-{a}\", p, \"-\"); for (i = m; i > 0; i--) print p[i] }}",
    "function f(x) {{ return x < 2 ? 1 : f(x - 1) + f(x - 2) }} END {{ print f({a} % 15) }}",
    "NR > 3 {{ last[NR % 8] = $0; delete last[(NR + 4) % 8] }}",
    "BEGIN {{ OFS = \":\" }} NR < 5 {{ $1 = $1; print }}",
    "END {{ print sprintf(\"%x %o %e %c\", {a}, {b}, {a} / 3, 65), int(-{a} / 2), {b} % 7, 2 ^ 9 }}",
    "END {{ k = asort(n0); n0[1] = {a}; n0[2] = {b}; k = asort(n0, s0); print k, s0[1] }}",
    "NR % 5 == 0 {{ next }} $2 ~ \"^{w}\" {{ print $2 }} {{ seen[$2, NF]++ }} END {{ for (q in seen) if (seen[q] > 1) d++; print d }}",
    "END {{ \"echo {w}\" | getline x; close(\"echo {w}\"); print x; print strftime(\"%Y\", 0, 1) }}",
    "BEGIN {{ RS = \"\\n\"; FS = \" \" }} {{ while (i++ < {a} % 9) s = s $NF; i = 0 }} END {{ print length(s) }}",
    "{{ a2[$1][$2] = NR }} END {{ for (q in a2) for (r in a2[q]) z++; print z }}",
)


def pieces(random, chosen):
    """Some of them, filled in."""
    for piece in chosen:
        if random.chance(CHANCE):
            yield piece.format(a=random.between(1, 90), b=random.between(1, 900), w=random.word(2),
                               v=random.word(3))


def lua(random, size):
    yield from workloads.lua(random, size)
    yield from (f"do {piece} end" for piece in pieces(random, LUA))


def sql(random, size):
    lines = list(workloads.sql(random, size))
    extra = list(pieces(random, SQL))
    cut = next((number for number in range(len(lines) * random.below(3) // 3, len(lines))
                if lines[number] == "COMMIT;"), len(lines) - 1)
    return lines[:cut + 1] + extra + lines[cut + 1:]


def bc(random, size):
    lines = list(workloads.bc(random, size))
    return lines + list(pieces(random, BC))


def awk(random, size):
    """The program is the input; the lines it reads are the same for all runs."""
    return [*pieces(random, AWK), f"NR > {size * 3} {{ exit }}", "END { print NR }"]


def awk_fixed(folder):
    """What it reads."""
    lines = workloads.awk_lines(workloads.Generator(77), 400)
    (folder / "lines").write_text("\n".join(lines) + "\n", encoding="ascii")


# Those that differ from test/heap: program -> arguments, lines, shared files.
VARIED = {
    "lua": (("@@",), lua, None),
    "sqlite3": (("-batch", ":memory:"), sql, None),
    "bc": (("-ql",), bc, None),
    "gawk": (("-f", "@@", "{fixed}/lines"), awk, awk_fixed),
}


def workload(name):
    """A workload of test/heap, varied where there are pieces for it."""
    known = workloads.WORKLOADS[name]
    if name not in VARIED:
        return known
    arguments, lines, fixed = VARIED[name]
    return dataclasses.replace(known, arguments=arguments, fixed=fixed,
                               lines=lambda random, size, feature: lines(random, size))
