-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Tables: growth of both parts, holes, removal while traversing, sort with a comparison, concat.
local t = {}
for i = 1, 5000 do t[i] = (i * 7919) % 5003 end
table.sort(t)
print(#t, t[1], t[2500], t[5000])
table.sort(t, function(a, b) return a % 97 < b % 97 or (a % 97 == b % 97 and a > b) end)
print(t[1], t[2500], t[5000])
local h = {}
for i = 1, 2000 do h["k" .. i] = i; h[i / 2] = i end
for k in pairs(h) do if type(k) == "string" and h[k] % 2 == 0 then h[k] = nil end end
local n, sum = 0, 0
for _, v in pairs(h) do n = n + 1; sum = sum + v end
print(n, sum)
print(table.concat({1, 2.5, "x", 3}, "-"), select("#", table.unpack({1, nil, 3}, 1, 3)))
print(table.unpack(table.move({1, 2, 3}, 1, 3, 2)))
print(pcall(table.concat, {1, {}, 3}))
