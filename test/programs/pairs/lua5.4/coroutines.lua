-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Coroutines: longjmp between C stacks, errors across them, wrap, close.
local function permute(a, n)
  if n == 0 then coroutine.yield(a) end
  for i = 1, n do
    a[n], a[i] = a[i], a[n]
    permute(a, n - 1)
    a[n], a[i] = a[i], a[n]
  end
end
local count = 0
for p in coroutine.wrap(function() permute({1, 2, 3, 4, 5, 6}, 6) end) do
  count = count + 1
  if count % 180 == 0 then print(table.concat(p, " ")) end
end
print(count)
local co = coroutine.create(function(a) local b = coroutine.yield(a + 1); error({code = b}) end)
print(coroutine.resume(co, 1))
local ok, e = coroutine.resume(co, 42)
print(ok, e.code, coroutine.status(co))
local all = {}
for i = 1, 1000 do all[i] = coroutine.wrap(function() for j = 1, 3 do coroutine.yield(i * j) end end) end
local sum = 0
for _ = 1, 3 do for i = 1, 1000 do sum = sum + all[i]() end end
print(sum)
local c = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() print("shut") end})
  coroutine.yield() end)
coroutine.resume(c)
print(coroutine.close(c), coroutine.status(c))
print(select(2, pcall(coroutine.wrap(function() error("inside") end))))
table.sort({3, 2, 1}, function(a, b) return a < b end)
print(pcall(table.sort, {3, 2, 1, 4}, function() error("compare") end))
