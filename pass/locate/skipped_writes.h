// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a branch on something corrupt leaves unwritten when it goes to where both ways meet, and
// what would be read there all the same: room that the compiler has made for a value (`c ? first()
// : second()` of a class, the object to return) and that is written on the ways jumped over, and
// not on every way to the branch. Left alone it would hold what lay there before, with ids that are
// not corrupt, and the next crash would be blamed on that.
//
// Rules: variables of the program are not among these: one that is read before it was written is an
// error of its own kind. What becomes a register begins as corrupt instead (declare in
// accesses.cpp); a class cannot, since it may well be copied as a whole while some member of it was
// never set.
#pragma once

#include "pass/locate/plan.h"
#include "pass/locate/post_dominators.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace culprit {

// Of one function, before anything is inserted.
class SkippedWrites {
public:
  SkippedWrites(llvm::Function &function, const Plan &plan, const PostDominators &post_dominators);

  struct Room {
    llvm::Value *address; // a variable, or the argument that says where the result is put
    uint64_t size;
    llvm::Align alignment;
  };
  // By the end of this block.
  llvm::ArrayRef<Room> of(const llvm::BasicBlock *block) const;

private:
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<Room, 1>> rooms_;
};

} // namespace culprit
