-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- A workload whose heap depends on its argument from the first table on: tables, strings, a sort with a function of
-- the script's, an error that is caught, a coroutine.
local factor = tonumber(arg[1])
local t = {}
for i = 1, 300 do t[i] = { name = "item" .. i, value = i * factor % 101 } end
table.sort(t, function(a, b)
  if a.value ~= b.value then return a.value < b.value end
  return a.name < b.name
end)
local ok, err = pcall(function() error({ code = 7 }) end)
local co = coroutine.wrap(function() for i = 1, 5 do coroutine.yield(i * i) end end)
local s = 0
for i = 1, 5 do s = s + co() end
print(t[1].name, t[300].name, ok, err.code, s)
