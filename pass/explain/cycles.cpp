// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/cycles.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

namespace culprit {

bool returns_twice(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && call->hasFnAttr(llvm::Attribute::ReturnsTwice);
}

Cycles::Cycles(llvm::Function &function)
    : has_jumps_(llvm::any_of(llvm::instructions(function), returns_twice)) {
  if (has_jumps_)
    counters_ = 1;
  llvm::CycleInfo info;
  info.compute(function);
  // By the order of blocks, not of discovery: a number must not depend on how the graph is walked.
  // A header belongs to one cycle: its children are found without it.
  llvm::DenseMap<const llvm::Cycle *, unsigned> number;
  for (llvm::BasicBlock &block : function)
    if (const llvm::Cycle *cycle = info.getCycle(&block);
        cycle != nullptr && cycle->getHeader() == &block) {
      number[cycle] = counters_;
      increments_.push_back({&block, counters_++});
    }
  for (llvm::BasicBlock &block : function) {
    llvm::SmallVector<unsigned, 2> &counters = around_[&block];
    for (const llvm::Cycle *cycle = info.getCycle(&block); cycle != nullptr;
         cycle = cycle->getParentCycle())
      counters.insert(counters.begin(), number.lookup(cycle));
    if (has_jumps_)
      counters.insert(counters.begin(), 0);
  }
  for (const Step &step : increments_) {
    const llvm::Cycle &cycle = *info.getCycle(step.block);
    llvm::SmallPtrSet<llvm::BasicBlock *, 4> done;
    for (llvm::BasicBlock *entry : cycle.getEntries())
      for (llvm::BasicBlock *before : llvm::predecessors(entry))
        if (!cycle.contains(before) && done.insert(before).second)
          resets_.push_back({before, step.counter});
  }
}

llvm::ArrayRef<unsigned> Cycles::around(const llvm::BasicBlock &block) const {
  const auto found = around_.find(&block);
  return found == around_.end() ? llvm::ArrayRef<unsigned>() : found->second;
}

} // namespace culprit
