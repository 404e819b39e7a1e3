// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index flavours (abi/indexing.h): the structural index of every block, and of nothing else. It
// lies in a table beside the heap's, by the number of its object; a freed block's row is the next
// one's. With the option `tree` the row names a node of the index tree instead (index_paths.h).
#pragma once

#include "abi/indexing.h"
#include "runtime/explain/index_paths.h"
#include "runtime/heap/object.h"

#include <stddef.h>
#include <stdint.h>

namespace culprit::explain {

extern bool g_indexing;

void begin_indexing(const culprit_index_unit &unit);

// A new block; null: memory is out.
void *allocate_indexed(size_t size);

// The block was handed out here: null is handed through.
void *index_block(void *block, size_t size);
inline void *indexed(void *block, size_t size) {
  return g_indexing ? index_block(block, size) : block;
}

// The block is given back, or to be resized: the tree need not know it any more. Any address.
void uproot_block(void *block);
inline void uproot(void *block) {
  if (g_tree) [[unlikely]]
    uproot_block(block);
}
// Blocks in the tree are alive, and not as the heap knows it.
bool is_alive(const heap::Object &object);

// An object of the program's own allocator.
void index_pooled(const void *pool, void *address, size_t size);
void uproot_pooled(const void *address);

// Of the block around the address (lazily: address → block → index); 0: it has none.
uint64_t index_of(uintptr_t address);
// Spelled out, from the outside in (index_paths.h), at most so many parts; returns how many it has,
// 0 without a tree.
uint64_t index_path(uintptr_t address, uint64_t *labels, uint64_t most);

} // namespace culprit::explain
