// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See unwritten.h.
#include "runtime/locate/unwritten.h"

#include "abi/locate.h"
#include "runtime/locate/crash.h"
#include "runtime/locate/guards.h"
#include "runtime/locate/values.h"

namespace culprit::locate {

Id g_unwritten;

namespace {

Id unmarked(Id id) { return id & CULPRIT_ID_BY_PLACE ? 0 : id & ~CULPRIT_ID_MARKS; }

// From there on in steps of so many cells.
void clear(Id *cell, Id marked, ptrdiff_t step) {
  constexpr size_t kMostCells = kLargestStamped / CULPRIT_CELL_BYTES + 1;
  for (size_t i = 0; i < kMostCells && *cell == marked; ++i, cell += step)
    *cell = unmarked(marked);
}

bool lies_in_freed_block(uintptr_t address) {
  Block block = block_near(address);
  return block.row && block.row->state == BlockState::freed;
}

} // namespace

Id freed_by_unseen() {
  bool is_known = __culprit_place && __culprit_place < CULPRIT_MAX_DEFINITIONS;
  return is_known ? CULPRIT_ID_UNWRITTEN | CULPRIT_ID_BY_PLACE | __culprit_clock | __culprit_place
                  : 0;
}

Id unless_written(Id id, uintptr_t address, size_t size) {
  bool is_of_variable = !(id & ~CULPRIT_ID_MARKS & ~CULPRIT_ID_DEFINITION_MASK);
  if (!is_unwritten(id) || id & CULPRIT_ID_DERIVED || is_of_variable ||
      holds_pattern(address, size, g_contents.fresh) || holds_pattern(address, size, kFreed))
    return id;
  if (g_contents.leaves_freed && lies_in_freed_block(address))
    return id;
  return unmarked(id);
}

void expect_not_freed(uintptr_t address) {
  if (!g_contents.tells_reads || !lies_in_freed_block(address))
    return;
  Block block = block_near(address);
  if (address >= block.payload && address < block.behind())
    stop_with_crash(CULPRIT_CRASH_FREED_READ, address, 0,
                    "culprit: a block was read after it was freed: terminated\n");
}

void hand_out(uintptr_t address, size_t size) {
  if (size) {
    if (size <= kLargestStamped && !lies_in_freed_block(address))
      for (Cells cells = cells_of(address, size); cells.count; ++cells.first, --cells.count)
        if (is_unwritten(*cells.first))
          *cells.first = unmarked(*cells.first);
    return;
  }
  Id *cell = cell_of(address);
  Id marked = *cell;
  if (!is_unwritten(marked))
    return;
  // Whoever writes to a freed block does not make it a good one.
  if (lies_in_freed_block(address))
    return;
  clear(cell, marked, 1);
  clear(cell - 1, marked, -1);
}

} // namespace culprit::locate
