// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has to be counted so that every execution of a place has an index of its own: each cycle of
// the control flow has a counter, which is 0 whenever control comes from outside and is increased
// whenever its header is executed.
//
// Why that is enough. Two executions of a block in one call are joined by a closed path. Take the
// innermost cycle that holds the path: every closed path in a cycle goes through its header or lies
// in one of its children (that is how children are found: by leaving the header out), so the path
// goes through the header and the counter differs. This holds for loops with several entries too;
// LLVM's cycles, unlike its loops, know those.
//
// A function that calls setjmp has one more counter, for all of its places: how often control came
// back to it by longjmp.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace culprit {

class Cycles {
public:
  explicit Cycles(llvm::Function &function);

  unsigned counters() const { return counters_; }
  // The counters of the cycles around a block, outermost first.
  llvm::ArrayRef<unsigned> around(const llvm::BasicBlock &block) const;

  struct Step {
    llvm::BasicBlock *block;
    unsigned counter;
  };
  // At the end of the block the counter becomes 0: the block is outside, and may lead inside.
  llvm::ArrayRef<Step> resets() const { return resets_; }
  // At the start of the block it is increased.
  llvm::ArrayRef<Step> increments() const { return increments_; }

  // Its counter has the number 0.
  bool has_jumps() const { return has_jumps_; }

private:
  bool has_jumps_;
  unsigned counters_ = 0;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<unsigned, 2>> around_;
  llvm::SmallVector<Step, 8> resets_;
  llvm::SmallVector<Step, 8> increments_;
};

// Control may come back from it more than once.
bool returns_twice(const llvm::Instruction &instruction);

} // namespace culprit
