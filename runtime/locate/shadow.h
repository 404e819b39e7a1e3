// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow: one id for each cell of memory (abi/locate.h), at an address computed from the cell's
// alone. All of it is mapped, so a lookup never faults, however wild the address; addresses that
// differ only above the mask's bits share cells, which is why the places of ours (arena, data
// stack) differ below them from where the kernel puts executables, libraries and stacks.
// A range that would run over the shadow's end stops there.
#pragma once

#include "abi/locate.h"

#include <stddef.h>
#include <stdint.h>

namespace culprit::locate {

using Id = uint64_t;

// Where what we place ourselves goes. The arena lies off the round number: a pointer into it whose
// lower half was written over by a zero shall not be one into it still.
constexpr uintptr_t kArenaBase = 0x280001000000;
constexpr uintptr_t kDataStackTop = 0x2a4000000000;

inline Id *cell_of(uintptr_t address) {
  return reinterpret_cast<Id *>(CULPRIT_SHADOW_BASE +
                                ((address & CULPRIT_SHADOW_MASK) << CULPRIT_SHADOW_SHIFT));
}

inline bool is_corrupt(Id id) { return id >> 63; }
inline bool is_unwritten(Id id) { return id >> 62 == 1; }
inline Id newer(Id a, Id b) { return a < b ? b : a; }

struct Cells {
  Id *first;
  size_t count;
};

// The cells that these bytes lie in, wholly or in part.
inline Cells cells_of(uintptr_t address, size_t size) {
  Id *first = cell_of(address);
  size_t room =
      (CULPRIT_SHADOW_BASE + CULPRIT_SHADOW_SIZE - reinterpret_cast<uintptr_t>(first)) / sizeof(Id);
  size_t in_first = address % CULPRIT_CELL_BYTES;
  size_t count =
      size / CULPRIT_CELL_BYTES +
      (size % CULPRIT_CELL_BYTES + in_first + CULPRIT_CELL_BYTES - 1) / CULPRIT_CELL_BYTES;
  return {first, !size ? 0 : count < room ? count : room};
}

// And the gs register is its base. False if the kernel refuses.
bool create_shadow();

// Most of these bytes will get ids, sooner or later.
void expect_dense(uintptr_t start, size_t bytes);

// Id 0 for all of them; of a long range the memory goes back to the kernel.
void clear_cells(Cells cells);

} // namespace culprit::locate
