// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See trespasses.h.
#include "runtime/locate/trespasses.h"

#include "runtime/locate/block_table.h"

namespace culprit::locate {
namespace {

constexpr size_t kRows = 1024;

struct Row {
  uintptr_t cell; // 0: none
  Id id;
};
Row g_rows[kRows];

uintptr_t cell_at(uintptr_t address) { return address & ~uintptr_t{CULPRIT_CELL_BYTES - 1}; }
Row &row_of(uintptr_t cell) { return g_rows[cell / CULPRIT_CELL_BYTES % kRows]; }

} // namespace

void note_trespass(uintptr_t address, Id id) {
  uintptr_t cell = cell_at(address);
  Row &row = row_of(cell);
  // What is corrupt is not written. Variables have no guards that stay.
  if (row.cell || is_corrupt(id) || !find_block(address).row)
    return;
  row = {cell, id};
}

Id first_trespass(uintptr_t address, Id id) {
  const Row &row = row_of(cell_at(address));
  return row.cell == cell_at(address) && row.id < id ? row.id : id;
}

} // namespace culprit::locate
