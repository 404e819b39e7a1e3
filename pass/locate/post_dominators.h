// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where control goes on when nobody knows which way to go: the immediate post-dominator of a block,
// that is the first block that all ways from it to the function's returns have in common.
//
// Ways that end the program or throw do not count: a check that may abort would otherwise leave
// nearly nothing with a post-dominator. Of blocks from which no return can be reached (a main loop
// that is left by exit() alone) the ways to those ends count instead.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"

namespace culprit {

class PostDominators {
public:
  explicit PostDominators(llvm::Function &function);

  // nullptr: there is none but the function's end.
  llvm::BasicBlock *of(const llvm::BasicBlock *block) const { return immediate_.lookup(block); }

private:
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> immediate_;
};

} // namespace culprit
