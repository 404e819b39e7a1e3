// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that one check can serve: members of one struct, at constant distances through one
// pointer, that happen together or not at all, with nothing in between that may free or that may
// not come back. The first one's granule then says which struct it is and where in it, so what the
// others meet follows from it (abi/access.h, "Joint rows").
//
// So does what lies in the same granule, of whatever it is.
//
// That it is a struct is known from the type of one of two accesses (TBAA), or of a variable that
// holds the pointer. Others would only pay: of an array, nothing follows from one of its elements.
#pragma once

#include "pass/access_once.h"
#include "pass/accesses.h"
#include "pass/free_reach.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/PassManager.h"

#include <string>
#include <vector>

namespace culprit {

struct JoinedAccesses {
  struct Other {
    size_t access;
    int64_t distance; // of its address from the first one's
    bool is_near;     // both are mostly in one granule
  };
  size_t first; // happens before the others
  llvm::SmallVector<Other, 2> others;
  std::vector<std::string> records; // what the struct is called; a name may be ""
};

// Each access is in at most one set, those of `once` in none. `accesses` are the function's.
std::vector<JoinedAccesses> join_accesses(llvm::Function &function, llvm::ArrayRef<Access> accesses,
                                          llvm::ArrayRef<OnceAccesses> once, const FreeReach &frees,
                                          llvm::FunctionAnalysisManager &analyses);

// Those that no memory allows to be checked together: they are not near each other, and no block or
// variable has this struct's members (Names::told_apart), so that four looks would be made where
// two do. What a custom allocator hands out has one name, and so has a struct that is too large.
void drop_never_joined(std::vector<JoinedAccesses> &sets, const llvm::StringSet<> &told_apart);

} // namespace culprit
