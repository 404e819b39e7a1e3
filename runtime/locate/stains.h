// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stains (abi/locate.h): in which stretches of memory something is or was corrupt. All of them are
// mapped, as the shadow is.
//
// Rules: a stain is set before the cell is made corrupt or right behind it, never later than the
// program's next read. Stains are not taken back: who overwrites a corrupt cell does not know of
// the others of its stretch.
#pragma once

#include "runtime/locate/shadow.h"

namespace culprit::locate {

inline unsigned char *stain_of(uintptr_t address) {
  return reinterpret_cast<unsigned char *>(
      CULPRIT_STAINS_BASE + (static_cast<uint32_t>(address) >> CULPRIT_STRETCH_SHIFT));
}

// False if the kernel refuses.
bool create_stains();

void stain(uintptr_t address, size_t size);
// May one of these bytes be corrupt?
bool is_stained(uintptr_t address, size_t size);

} // namespace culprit::locate
