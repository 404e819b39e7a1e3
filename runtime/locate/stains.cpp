// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stains.h.
#include "runtime/locate/stains.h"

#include "runtime/os/memory.h"

namespace culprit::locate {
namespace {

// Calls `look` with the stain of each stretch that has a cell of these bytes, until it says true.
template <typename Look> bool any_of(uintptr_t address, size_t size, Look look) {
  constexpr uintptr_t kStretch = uintptr_t{1} << CULPRIT_STRETCH_SHIFT;
  constexpr uintptr_t kInCell = CULPRIT_CELL_BYTES - 1;
  uintptr_t first = address & ~kInCell;
  size_t rest = size ? (address - first + size + kInCell) & ~kInCell : 0;
  while (rest) {
    if (look(stain_of(first)))
      return true;
    size_t here = kStretch - first % kStretch;
    if (here > rest)
      here = rest;
    first += here;
    rest -= here;
  }
  return false;
}

} // namespace

bool create_stains() { return os::map_sparse(CULPRIT_STAINS_BASE, CULPRIT_STAINS_SIZE) != nullptr; }

void stain(uintptr_t address, size_t size) {
  if (size)
    any_of(address - CULPRIT_STAIN_REACH, size + CULPRIT_STAIN_REACH, [](unsigned char *stain) {
      *stain = 1;
      return false;
    });
}

bool is_stained(uintptr_t address, size_t size) {
  return any_of(address, size, [](const unsigned char *stain) { return *stain != 0; });
}

} // namespace culprit::locate
