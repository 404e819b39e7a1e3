// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions do work on the heap graph: they write where a pointer may lie (pass/writes.h), or
// call something that may. The others (accessors, walks that only read, arithmetic) cannot change
// the graph, so a metric point inside them would see nothing new, and their entries are not counted
// (pass/probes.h).
//
// In a counting flavour without the heap graph the countdown only measures periods of the run:
// there every function that may write is at work. It pays for more than that at each access anyway.
//
// By the call graph of the module: before link-time optimisation what another module defines counts
// as work, after it the whole program is known. Library functions count unless their attributes say
// that they only read.
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"

namespace culprit {

// Chooses the target of an ifunc, while the program is still being loaded: there are no cards and
// no countdown yet, so it is left as it is and counts as doing no work.
bool is_ifunc_resolver(const llvm::Function &function);

class WorkReach {
public:
  // `features`: of the flavour (abi/features.h).
  WorkReach(const llvm::Module &module, unsigned features);

  bool does_work(const llvm::Function &function) const {
    return working_.contains(&function) && !is_ifunc_resolver(function);
  }

private:
  llvm::DenseSet<const llvm::Function *> working_; // defined in this module
};

} // namespace culprit
