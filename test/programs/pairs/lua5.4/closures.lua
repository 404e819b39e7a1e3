-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Closures, upvalues shared and closed, varargs, tail calls, goto, to-be-closed variables.
local function counter()
  local n = 0
  return function() n = n + 1; return n end, function() return n end
end
local up, get = counter()
for _ = 1, 10 do up() end
print(get())
local fs = {}
for i = 1, 3 do fs[i] = function() i = i + 1; return i end end
print(fs[1](), fs[1](), fs[2](), fs[3]())
local function loop(n, acc) if n == 0 then return acc end return loop(n - 1, acc + n) end
print(loop(100000, 0))
print((function(...) local a, b = ...; return select("#", ...), a, b end)(1, nil, 3))
for i = 1, 3 do
  for j = 1, 3 do if j == 2 then goto next end; io.write(i, j, " ") ; ::next:: end
end
print()
do
  local a <close> = setmetatable({}, {__close = function() print("closed a") end})
  local b <close> = setmetatable({}, {__close = function(_, e) print("closed b", e) end})
  print("in")
end
print(pcall(function()
  local c <close> = setmetatable({}, {__close = function(_, e) print("closing", e) end})
  error("boom", 0)
end))
local function deep(n) return n > 0 and 1 + deep(n - 1) or 0 end
print(deep(10000), (pcall(function() local function f() return 1 + f() end return f() end)))
