// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who copied to an address that is watched. A copy has no definition of its own, so of a pointer
// whose halves were defined elsewhere nobody knows who has put them there; executed once more, with
// one of them suppressed, the statement shows itself.
#pragma once

#include "runtime/locate/shadow.h"

namespace culprit::locate {

void watch(uintptr_t address);

extern uintptr_t g_watched; // as the shadow's mask has it; 0: none

// Something of a value's size that is corrupt, or anything by a library function.
void note_brought(uintptr_t address, size_t size);

// A pointer stands there.
inline bool covers_watched(uintptr_t address, size_t size) {
  uintptr_t from = address & CULPRIT_SHADOW_MASK;
  return g_watched && (g_watched - from < size || from - g_watched < sizeof(void *));
}

} // namespace culprit::locate
