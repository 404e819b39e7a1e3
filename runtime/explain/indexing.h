// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index flavours (abi/indexing.h): the structural index of every block, and of nothing else. It
// lies in a table beside the heap's, by the number of its object; a freed block's row is the next
// one's.
#pragma once

#include "abi/indexing.h"

#include <stddef.h>
#include <stdint.h>

namespace culprit::explain {

extern bool g_indexing;

void begin_indexing(const culprit_index_unit &unit);

// The block was handed out here: null is handed through.
void *index_block(void *block, size_t size);
inline void *indexed(void *block, size_t size) {
  return g_indexing ? index_block(block, size) : block;
}

// The index of what happens next at the site where the frame stands; counts it.
uint64_t next_happening(culprit_index_frame &frame);

// Of the block around the address (lazily: address → block → index); 0: it has none.
uint64_t index_of(uintptr_t address);

} // namespace culprit::explain
