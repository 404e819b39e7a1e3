// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs of accesses that one check can serve: two members of one struct, at a constant distance
// through one pointer, that happen together or not at all, with nothing in between that may free or
// that may not come back. The first one's granule then says which struct it is and where in it, so
// what the other one meets follows from it (abi/access.h, "Joint rows").
//
// That it is a struct is known from the type of one of the two accesses (TBAA). Others would only
// pay: of an array, nothing follows from one of its elements.
#pragma once

#include "pass/accesses.h"
#include "pass/free_reach.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

#include <vector>

namespace culprit {

struct JoinedAccesses {
  size_t first; // happens before the other
  size_t other;
  int64_t distance; // of the other's address from the first one's
};

// Each access is in at most one pair. `accesses` are the function's.
std::vector<JoinedAccesses> join_accesses(llvm::Function &function, llvm::ArrayRef<Access> accesses,
                                          const FreeReach &frees,
                                          llvm::FunctionAnalysisManager &analyses);

} // namespace culprit
