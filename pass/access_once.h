// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses in a loop that need one check for all its rounds: the address is the same in each, and
// nothing in the loop may free, so the first one told the pair (site, name) of all. Those that are
// certain have their check before the loop (access_hoisting.h); here are the others, of which it is
// not known before whether they happen at all. A flag says that the check was made; nothing is told
// that does not happen.
#pragma once

#include "pass/accesses.h"
#include "pass/free_reach.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

#include <vector>

namespace culprit {

// Accesses of one block with nothing between them that may not come back: one flag is enough.
struct OnceAccesses {
  struct Each {
    size_t access;
    llvm::Value *base; // its address is so many bytes from this, which is made before the loop
    int64_t offset;
  };
  llvm::Instruction *begin;            // in front of the loop: nothing is checked yet
  llvm::SmallVector<Each, 2> accesses; // in the order of their instructions
};

// Each access is in at most one set. `accesses` are the function's.
std::vector<OnceAccesses> find_once(llvm::Function &function, llvm::ArrayRef<Access> accesses,
                                    llvm::FunctionAnalysisManager &analyses,
                                    const FreeReach &frees);

} // namespace culprit
