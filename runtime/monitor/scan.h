// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading blocks again: which words hold an address inside the heap, and of which vertex. Narrow
// blocks are read whole, wide ones card by card. Words of other threads may change while they are
// read; each is read once, atomically. Only under the point lock.
#pragma once

#include "runtime/monitor/cards.h"
#include "runtime/monitor/vertexes.h"

namespace culprit::monitor {

struct ScanCost {
  uint64_t words;   // read
  uint64_t changes; // narrow blocks, or words of wide ones, that point elsewhere now
};

// Blocks on the page's marked cards.
void scan_page(const DirtyPage &dirty, ScanCost &cost);
// The bytes [from, to) of a wide block of `size` bytes at `start`.
void scan_wide(Ref source, uintptr_t start, size_t size, size_t from, size_t to, ScanCost &cost);
// Every source.
void scan_everything(ScanCost &cost);

// Words may point to pages of the small half that hold nothing yet, and whose slots are therefore
// unknown. Were there any that point to these pages, which have just got their blocks? (Then
// everything is read again; it takes a wild pointer.)
bool wild_words_in(uint32_t first_page, uint32_t end_page);

} // namespace culprit::monitor
