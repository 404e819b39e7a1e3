// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruments one function of an index flavour by its plan (abi/indexing.h), before anything is
// optimised: counters of cycles are variables, so that the optimiser keeps them in registers, or
// makes them of what the program counts itself; they go to memory at sites alone.
#pragma once

#include "pass/explain/index_plan.h"

#include "llvm/IR/IRBuilder.h"

#include <vector>

namespace culprit {

class IndexFrames {
public:
  IndexFrames(llvm::Module &module, IndexPlan::Function &planned);
  void rewrite();

private:
  llvm::Value *field(llvm::IRBuilder<> &builder, llvm::Value *frame, uint64_t offset);
  llvm::Value *innermost(llvm::IRBuilder<> &builder);
  void set_innermost(llvm::IRBuilder<> &builder, llvm::Value *frame);
  void count_entries();
  void enter();
  void come_back();
  void leave();
  void count_cycles();
  void stand_at(const IndexPlan::Site &site);

  llvm::Module &module_;
  IndexPlan::Function &planned_;
  llvm::Value *frame_ = nullptr;             // where the function's sites stand
  llvm::Value *caller_ = nullptr;            // as it was found; null: the frame is the caller's
  bool in_memory_ = false;                   // counters are kept there
  std::vector<llvm::AllocaInst *> counters_; // by number; null: nobody needs it
};

} // namespace culprit
