// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who linked, unlinked and wrote which block last: kept in the blame flavour alone, where every
// store of a pointer is bracketed by two hooks. The tables are made when the first of them is
// called. At one point all vertexes are written down, added up by who made them, what degrees they
// have and who touched them.
#pragma once

#include "runtime/monitor/vertexes.h"

namespace culprit::monitor {

// Site numbers + 1; 0: nobody.
struct Blamed {
  uint32_t linked;
  uint32_t unlinked;
  uint32_t wrote;
  uint32_t changed; // wrote, and the block then held more or fewer pointers than before
};
extern Blamed *g_blamed; // by reference; null in other flavours

void blame_before(uintptr_t address, size_t size, uint32_t site);
void blame_after(uintptr_t address, size_t size, uint32_t site);
void blame_freeing(uintptr_t address, uint32_t site);
void blame_free(uintptr_t address, uint32_t site);

inline void forget_blame(Ref ref) {
  if (g_blamed) [[unlikely]]
    g_blamed[ref] = {};
}

// Writes the records of point `index`. Under the point lock.
void append_blame(uint32_t index);

} // namespace culprit::monitor
