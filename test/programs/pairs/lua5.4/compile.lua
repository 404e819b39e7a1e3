-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- The compiler: load, dump and undump, syntax errors, many constants, deep nesting.
local src = {"local t = {}"}
for i = 1, 400 do src[#src + 1] = ("t[%d] = function(x) return x * %d + %q .. 'k%d' end"):format(i, i, "0", i) end
src[#src + 1] = "return t"
local chunk = assert(load(table.concat(src, "\n"), "=gen"))
local dumped = string.dump(chunk, true)
local again = assert(load(dumped, "bin", "b"))
print(#chunk(), #again(), (pcall(again()[3], 1)))
for _, bad in ipairs {"x =", "for i = 1 do end", "goto nowhere", "local x <const> = 1; x = 2", "return '\\q'",
                      "a.b:c = 1", "break", "::l:: ::l::", "return 0x", "--[[ open"} do
  print(load(bad, "=bad"))
end
local nest = ("("):rep(150) .. "1" .. (")"):rep(150)
print(load("return " .. nest)())
print(load(("{"):rep(300)))
print(load(dumped:sub(1, 50), "cut", "b"))
local env = {y = 5}
print(load("z = y * 2; return z", "=e", "t", env)(), env.z, z)
