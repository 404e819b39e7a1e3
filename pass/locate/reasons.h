// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a block was reached that does not let the program go on: which branches decided it.
//
// A condition of several parts (`a && b`, `a || b`) is several branches that lead to the same two
// places: on, or to the end. Its blocks are found from the end: those with a way into where
// nothing but the end follows, and those that only lead to others of these or to the one place
// where it goes on. Which parts decided depends on the way an execution took through them: the
// last one always, and one before it if its other way could have led on without the parts that
// were asked after it (of `a && b` only one, of `a || b` both).
//
// The ways are a tree, backwards: a node's block is left for its parent's block, or for the end if
// it has none. A node is the way's first block if it is not entered from one of its children's.
#pragma once

#include "pass/locate/leaves.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"

#include <vector>

namespace culprit {

struct Reason {
  llvm::BasicBlock *block = nullptr;
  int parent = -1; // -1: none
  llvm::SmallVector<int, 2> children;
  llvm::SmallVector<llvm::BasicBlock *, 4> deciding; // of the way that begins here, last one first
  unsigned place = 0; // its number, given by the plan: of the way that begins here
};

struct Reasons {
  llvm::BasicBlock *end = nullptr;
  // Blocks from which nothing but the end follows, the end's own among them.
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> inevitable;
  std::vector<Reason> ways; // none: that cannot be told

  // The node without a parent for a way that leaves this block for the end; -1: none.
  int last_part(const llvm::BasicBlock *block) const;
  // The child for a way that came by this block; -1: the way begins here.
  int before(int node, const llvm::BasicBlock *block) const;
};

Reasons reasons_for(llvm::BasicBlock &end);

// Of all branches that decided a way, the last one first, which is the "condition"; those before it
// are "guards". No more than CULPRIT_LEAVES.
llvm::SmallVector<Leaf, 4> leaves_of_way(const Reason &way);

// Where the ways are not known: of the last branch before the block.
llvm::SmallVector<Leaf, 4> leaves_of_last_condition(llvm::BasicBlock &block);

// What the block's branch depends on; null: it does not branch.
llvm::Value *condition_of_branch(const llvm::BasicBlock &block);

// A constant that says nothing but which way was taken.
bool is_truth_constant(const llvm::Value &value);

// What the block's end depended on, if the value handed on there is such a constant; else null.
llvm::Value *chosen_by(const llvm::Value &value, const llvm::BasicBlock &block);

} // namespace culprit
