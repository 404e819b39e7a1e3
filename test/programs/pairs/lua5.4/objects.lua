-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Metatables: inheritance, operators, indexing chains, __call, __tostring, __lt, __concat, __len.
local Vec = {}
Vec.__index = Vec
Vec.__add = function(a, b) return setmetatable({x = a.x + b.x, y = a.y + b.y}, Vec) end
Vec.__eq = function(a, b) return a.x == b.x and a.y == b.y end
Vec.__lt = function(a, b) return a.x < b.x end
Vec.__le = function(a, b) return a.x <= b.x end
Vec.__len = function(a) return a.x * a.y end
Vec.__call = function(a, k) return a.x * k, a.y * k end
Vec.__tostring = function(a) return "<" .. a.x .. "," .. a.y .. ">" end
Vec.__concat = function(a, b) return tostring(a) .. "&" .. tostring(b) end
local function new(x, y) return setmetatable({x = x, y = y}, Vec) end
local a, b = new(1, 2), new(3, 4)
print(tostring(a + b), a == new(1, 2), a < b, a >= b, #b, a .. b, a .. "s", a(10))
local base = {hello = function(self) return "hi " .. self.name end}
local chain = base
for _ = 1, 50 do chain = setmetatable({}, {__index = chain}) end
print(setmetatable({name = "deep"}, {__index = chain}):hello())
local log = {}
local proxy = setmetatable({}, {__newindex = function(_, k, v) log[#log + 1] = k .. "=" .. tostring(v) end,
                                __index = function(_, k) return k .. "?" end})
proxy.a, proxy.b = 1, true
print(table.concat(log, " "), proxy.c)
print(pcall(function() return a + nil end))
print(pcall(function() return {} < {} end))
print(pcall(function() local t = setmetatable({}, {__index = function(_, k) error("no " .. k, 0) end}); return t.z end))
