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
// Control that comes back to a setjmp by longjmp goes a way that is no edge. If it comes from
// inside the innermost cycle around the setjmp, that cycle has a second counter of such returns,
// which is 0 again whenever the header is executed: a closed path inside the cycle either has a
// return in it and no header, or goes through the header. So from the next round on a run that
// jumped corresponds to one that did not. If it comes from outside, places outside may be executed
// once more, too: a counter of the function, part of all its indexes, which never becomes 0 again.
// Which of the two it is a mark says, that is set where the setjmp returns and taken back where the
// cycle is left, by an edge or by a jump to a setjmp outside.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

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
  // At the start of the block it becomes 0.
  llvm::ArrayRef<Step> clearings() const { return clearings_; }

  // The function's counter of returns by longjmp has the number 0.
  bool has_jumps() const { return has_jumps_; }
  // What counts returns to the setjmps in a block, besides that.
  struct Return {
    struct Cycle {
      unsigned returns; // its counter
      unsigned mark;    // its mark, which is part of no index
    };
    std::optional<Cycle> cycle;             // the innermost one around the block
    llvm::SmallVector<unsigned, 2> outside; // marks of cycles that the block is not in
  };
  Return returns_to(const llvm::BasicBlock &block) const;

private:
  struct Jumped {
    const llvm::Cycle *cycle; // alive in the constructor alone
    llvm::SmallPtrSet<const llvm::BasicBlock *, 8> blocks;
    Return::Cycle numbers;
  };

  void number_returns(const llvm::CycleInfo &info, llvm::Function &function);
  Jumped *jumped_into(const llvm::Cycle &cycle); // nullptr: no setjmp stands in it

  bool has_jumps_;
  unsigned counters_ = 0;
  llvm::SmallVector<Jumped, 1> jumped_;
  llvm::DenseMap<const llvm::BasicBlock *, Return::Cycle> innermost_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<unsigned, 2>> around_;
  llvm::SmallVector<Step, 8> resets_;
  llvm::SmallVector<Step, 8> increments_;
  llvm::SmallVector<Step, 2> clearings_;
};

// Behind a setjmp that returned this: counts, if it is a return by longjmp. `place` says where a
// counter is.
void count_return(llvm::IRBuilder<> &builder, const Cycles::Return &numbers, llvm::Value *returned,
                  llvm::function_ref<llvm::Value *(unsigned counter)> place);

// Control may come back from it more than once.
bool returns_twice(const llvm::Instruction &instruction);

} // namespace culprit
