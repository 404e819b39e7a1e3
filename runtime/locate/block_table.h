// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of blocks: see blocks.h. Row numbers are those of the heap's objects; of large blocks,
// behind all of these, the number of their first page.
#pragma once

#include "runtime/heap/object.h"
#include "runtime/locate/blocks.h"

namespace culprit::locate {

extern Block *g_blocks;
extern uint64_t g_first_large; // row of page 0
extern uint64_t g_rows_end;    // of small blocks: no row from here on was ever used

bool create_block_table();

inline uint64_t row_of(const heap::Object &object) {
  if (object.size_class == heap::kLargeClass)
    return g_first_large + (object.number - heap::kLargeNumbers);
  if (object.number >= g_rows_end)
    g_rows_end = object.number + 1;
  return object.number;
}

// Whatever began in the heap's block around this address, however long ago; null: nothing ever.
Block *find_block(uintptr_t address);

// Every row that was ever used, in order of number.
template <typename Visitor> void for_each_block(Visitor visit) {
  for (uint64_t row = 0; row < g_rows_end; ++row)
    if (g_blocks[row].state != BlockState::never)
      visit(g_blocks[row]);
  uint64_t end = g_first_large + heap::large_frontier();
  for (uint64_t row = g_first_large + heap::large_first(); row < end; ++row)
    if (g_blocks[row].state != BlockState::never)
      visit(g_blocks[row]);
}

} // namespace culprit::locate
