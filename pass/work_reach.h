// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions do work on the heap graph: they write where a pointer may lie (pass/writes.h), or
// call something that may. The others (accessors, walks that only read, arithmetic) cannot change
// the graph, so a metric point inside them would see nothing new, and their entries are not counted
// (pass/probes.h).
//
// By the call graph of the module: before link-time optimisation what another module defines counts
// as work, after it the whole program is known. Library functions count unless their attributes say
// that they only read.
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"

namespace culprit {

class WorkReach {
public:
  explicit WorkReach(const llvm::Module &module);

  bool does_work(const llvm::Function &function) const { return working_.contains(&function); }

private:
  llvm::DenseSet<const llvm::Function *> working_; // defined in this module
};

} // namespace culprit
