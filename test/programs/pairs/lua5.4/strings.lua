-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Strings: interning against long strings, patterns, formats, packing, UTF-8.
local words = {}
for w in ("the quick brown fox jumps over the lazy dog"):gmatch("%a+") do words[#words + 1] = w:upper() end
print(table.concat(words, ","))
print(("x"):rep(10, "-"), ("abc"):reverse(), ("%5.2f|%-6s|%06d|%q"):format(3.14159, "ab", 42, "a\n\0b"))
print(("key = value # note"):match("^(%w+)%s*=%s*(%w+)"))
print(("hello"):gsub("l", {l = "L"}), ("abc"):gsub("%w", "%0%0"), ("f(a(b)c)d"):match("%b()"))
print(string.pack("<i4z", 7, "ab"):byte(1, -1))
print(string.unpack("<i4z", string.pack("<i4z", 7, "ab")))
print(utf8.char(72, 228, 8364, 128512), utf8.len("häß€"), utf8.codepoint("€", 1))
local long = {}
for i = 1, 300 do long[i] = string.rep(string.char(97 + i % 26), i) end
local s = table.concat(long)
print(#s, s:find("zzzz"), s:sub(-5), s == table.concat(long))
print(pcall(string.rep, "x", 1 << 40))
print(tostring(1e15), 2^53, 10 // 3, -7 // 2, -7 % 3, 7 / 2, 1 << 62, "10" + 5, math.tointeger(3.0))
