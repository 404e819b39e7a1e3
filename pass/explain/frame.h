// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of a function in the explain flavour (abi/explain.h): its culprit_frame, the counters
// of its cycles, and all its local variables, in one alloca. The runtime is told its address at
// entry, so whatever lies in it is in memory whenever a hook is called, and may be changed there.
//
// Variables of variable length stay where they are: the runtime is told of each.
#pragma once

#include "pass/explain/tables.h"
#include "pass/explain/temporaries.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace culprit {

class Frame {
public:
  // Stands for the frame until it is made.
  explicit Frame(llvm::Function &function);

  llvm::AllocaInst &address() { return *address_; }
  // The address of a counter, in a frame that has so many.
  llvm::Value *counter(llvm::IRBuilder<> &builder, unsigned number);
  // Notes that the frame stands at a site, where nothing happened yet.
  void stand_at(llvm::IRBuilder<> &builder, unsigned site);

  // Takes all variables in and zeroes them at entry. Nothing may ask for address() any more.
  llvm::GlobalVariable &make(unsigned counters, const ResultNames &results, ExplainTables &tables);
  // Where code at entry goes on: behind the zeroing.
  llvm::Instruction *entry() { return entry_; }

private:
  llvm::Function &function_;
  llvm::AllocaInst *address_;
  llvm::Instruction *entry_ = nullptr;
};

} // namespace culprit
