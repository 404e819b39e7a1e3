// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The option `tree` of the index flavours: the index of every live block is spelled out in the
// index tree (index_tree.h) and not only known by its digest. The digests are the same.
//
// A frame remembers, where it else keeps its digest, the node at which its caller stands: an
// allocation goes up to the first frame whose node is still there. What a node is labelled with: a
// site of a frame and the how manieth entry from there the frame is; each counter around the site,
// outermost first; and, of what is not the first to happen at a site, its number.
#pragma once

#include "abi/indexing.h"

#include <stddef.h>
#include <stdint.h>

namespace culprit::explain {

extern bool g_tree;

void begin_tree(const culprit_index_extent &extent);

// The node of a block that is handed out where the frame stands, in use by it; 0: no memory. Counts
// the block.
uint32_t plant_block(culprit_index_frame &frame, size_t size);
void fell_block(uint32_t node);
// The digest of the block.
uint64_t planted_index(uint32_t node, size_t size);
// The labels of a node from the root on, at most so many; returns how many there are.
uint64_t spell_out(uint32_t node, uint64_t *labels, uint64_t most);

// In the child of a fork.
void reset_tree_lock();

} // namespace culprit::explain
