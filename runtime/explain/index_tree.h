// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index tree of the paper (its rules 15 and 16): the structural indexes of all live blocks,
// with their common beginnings shared. A node is one part of an index: a call site, the counter of
// a cycle, or that something was not the first to happen at a site. A node that no block and no
// other node needs any more is removed, and so are those above it.
//
// Nodes lie in a table and are known by number; 0 is none, 1 the root. A removed node's number is
// given to another one: whoever remembers a node without using it (NodeName) can tell. Whoever
// calls, holds the lock.
#pragma once

#include "runtime/os/lock.h"

#include <stdint.h>

namespace culprit::explain {

constexpr uint32_t kTreeRoot = 1;

struct TreeNode {
  uint64_t label;
  uint64_t index;  // the digest of the way to it; 0: it is not the whole of a site's
  uint32_t parent; // 0: of the root, and of a number that is free
  uint32_t uses;   // children and blocks
  uint32_t next;   // in its bucket, or free
  uint32_t generation;
  uint32_t depth;
  uint32_t unused;
};

// The number of a node and its generation, never 0.
using NodeName = uint64_t;

struct TreeCounts {
  uint64_t nodes;
  uint64_t most_nodes; // at the same time
  uint64_t deepest;
};

extern os::Lock g_tree_lock;

// False: there is no room for it.
bool create_tree();
const TreeNode &tree_node(uint32_t node);
NodeName name_of(uint32_t node);
// 0: it has been removed.
uint32_t node_of(NodeName name);
// The child of that label; made, if there is none. 0: no memory.
uint32_t tree_child(uint32_t parent, uint64_t label);
void set_tree_index(uint32_t node, uint64_t index);
void use_node(uint32_t node);
void release_node(uint32_t node);
TreeCounts tree_counts();

} // namespace culprit::explain
