// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See extents.h.
#include "runtime/locate/extents.h"

#include "runtime/locate/block_table.h"
#include "runtime/os/memory.h"

namespace culprit::locate {
namespace {

struct Extent {
  uintptr_t start;
  uintptr_t end;
};

Extent *g_globals; // by address
size_t g_count;

void swap(Extent &a, Extent &b) {
  Extent kept = a;
  a = b;
  b = kept;
}

// Of a heap of which all but the root is in order.
void sink(Extent *rows, size_t root, size_t count) {
  for (;;) {
    size_t child = 2 * root + 1;
    if (child >= count)
      return;
    if (child + 1 < count && rows[child].start < rows[child + 1].start)
      ++child;
    if (rows[root].start >= rows[child].start)
      return;
    swap(rows[root], rows[child]);
    root = child;
  }
}

void sort(Extent *rows, size_t count) {
  for (size_t i = count / 2; i-- > 0;)
    sink(rows, i, count);
  for (size_t end = count; end > 1; --end) {
    swap(rows[0], rows[end - 1]);
    sink(rows, 0, end - 1);
  }
}

size_t room_in_global(uintptr_t address) {
  size_t low = 0;
  size_t high = g_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (g_globals[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low && address < g_globals[low - 1].end ? g_globals[low - 1].end - address : kNoExtent;
}

} // namespace

void learn_globals(const culprit_locate_unit &unit) {
  if (g_globals || !unit.global_count || !os::map_table(g_globals, unit.global_count))
    return;
  for (uint64_t i = 0; i < unit.global_count; ++i) {
    auto start = reinterpret_cast<uintptr_t>(unit.globals[i].address);
    g_globals[i] = {start, start + unit.globals[i].size};
  }
  sort(g_globals, unit.global_count);
  g_count = unit.global_count;
}

size_t room_at(uintptr_t address) {
  Block block = find_block(address);
  if (!block.row)
    return room_in_global(address);
  if (!is_guarded(block))
    return kNoExtent;
  bool is_inside = address >= block.payload && address < block.behind();
  return is_inside ? block.behind() - address : 0; // a guard: no room at all
}

} // namespace culprit::locate
