// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that one check can serve: members of one struct, at constant distances through one
// pointer, that happen together or not at all, with nothing in between that may free or that may
// not come back. The first one's granule then says which struct it is and where in it, so what the
// others meet follows from it (abi/access.h, "Joint rows").
//
// That it is a struct is known from the type of one of two accesses (TBAA), or of a variable that
// holds the pointer. Others would only pay: of an array, nothing follows from one of its elements.
#pragma once

#include "pass/access_once.h"
#include "pass/accesses.h"
#include "pass/free_reach.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

#include <vector>

namespace culprit {

struct JoinedAccesses {
  struct Other {
    size_t access;
    int64_t distance; // of its address from the first one's
  };
  size_t first; // happens before the others
  llvm::SmallVector<Other, 2> others;
};

// Each access is in at most one set, those of `once` in none. `accesses` are the function's.
std::vector<JoinedAccesses> join_accesses(llvm::Function &function, llvm::ArrayRef<Access> accesses,
                                          llvm::ArrayRef<OnceAccesses> once, const FreeReach &frees,
                                          llvm::FunctionAnalysisManager &analyses);

} // namespace culprit
