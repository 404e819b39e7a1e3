-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- The collector: incremental and generational, weak tables, finalizers, ephemerons, many sizes.
local function churn(n)
  local keep = {}
  for i = 1, n do
    keep[i % 101] = {i, tostring(i), {i}, ("y"):rep(i % 257)}
  end
  local sum = 0
  for _, v in pairs(keep) do sum = sum + v[1] + #v[4] end
  return sum
end
print(churn(50000))
collectgarbage("generational")
print(churn(50000))
collectgarbage("incremental", 100, 400)
print(churn(50000))
local weak = setmetatable({}, {__mode = "v"})
for i = 1, 100 do weak[i] = {} end
weak[101] = weak
collectgarbage()
local n = 0
for _ in pairs(weak) do n = n + 1 end
print(n)
local gone = 0
for _ = 1, 500 do setmetatable({}, {__gc = function() gone = gone + 1 end}) end
collectgarbage()
print(gone)
local eph = setmetatable({}, {__mode = "k"})
local root = {}
local key = root
for i = 1, 50 do local nxt = {}; eph[key] = nxt; key = nxt end
key = nil
collectgarbage()
local m, k = 0, root
while eph[k] do k = eph[k]; m = m + 1 end
print(m)
setmetatable({}, {__gc = function() print("at exit") end})
