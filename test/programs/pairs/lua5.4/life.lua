-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- A little program: game of life, a sieve, n-queens, and a Mandelbrot picture; arithmetic and loops.
local W, H = 40, 20
local grid = {}
for y = 1, H do grid[y] = {}; for x = 1, W do grid[y][x] = (x * 7 + y * 13 + x * y) % 5 == 0 end end
for _ = 1, 30 do
  local new = {}
  for y = 1, H do
    new[y] = {}
    for x = 1, W do
      local n = 0
      for dy = -1, 1 do for dx = -1, 1 do
        if (dx ~= 0 or dy ~= 0) and grid[(y + dy - 1) % H + 1][(x + dx - 1) % W + 1] then n = n + 1 end
      end end
      new[y][x] = n == 3 or (n == 2 and grid[y][x])
    end
  end
  grid = new
end
for y = 1, H do
  local row = {}
  for x = 1, W do row[x] = grid[y][x] and "#" or "." end
  print(table.concat(row))
end
local sieve, primes = {}, 0
for i = 2, 100000 do
  if not sieve[i] then primes = primes + 1; for j = i * i, 100000, i do sieve[j] = true end end
end
print(primes)
local function queens(n, row, cols, d1, d2)
  if row > n then return 1 end
  local found = 0
  for c = 1, n do
    if not (cols[c] or d1[row + c] or d2[row - c]) then
      cols[c], d1[row + c], d2[row - c] = true, true, true
      found = found + queens(n, row + 1, cols, d1, d2)
      cols[c], d1[row + c], d2[row - c] = nil, nil, nil
    end
  end
  return found
end
print(queens(8, 1, {}, {}, {}))
for y = -1, 1, 0.25 do
  local row = {}
  for x = -2, 0.5, 0.0625 do
    local a, b, n = 0.0, 0.0, 0
    while a * a + b * b < 4 and n < 60 do a, b, n = a * a - b * b + x, 2 * a * b + y, n + 1 end
    row[#row + 1] = string.char(32 + n)
  end
  print(table.concat(row))
end
print(string.format("%.17g %.17g %.17g", math.sin(1), math.exp(1), math.pi ^ 0.5), math.fmod(-7, 3), 7 // 0.0)
