// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation contexts (abi/monitor.h, "Context"): before each call that may lead to an allocation,
// the caller's own context with the call's site pushed is stored to the thread's variable.
//
// A function reads its own context once, before its first such call and outside all loops, so paths
// without one pay nothing. Inlining must not show: each level of inlining is one push more, by the
// debug locations. What is four or more levels deep needs no own context.
//
// Calls that stand in the C++ standard library's templates push nothing (the allocation itself
// does): a container is six calls deep, and the four places would never show who used it. Nor do
// calls of an allocator's layers among themselves (wrappers.h).
#pragma once

#include "pass/allocation_reach.h"
#include "pass/sites.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace culprit {

class Hooks;
class Wrappers;

struct ContextLevel {
  SiteTable::Handle site;
  const llvm::DILocation *location; // of the call itself, or of the inlined call; may be nullptr
};

struct ContextCall {
  llvm::CallBase *call;
  llvm::SmallVector<ContextLevel, 4> levels; // the newest first; at most CULPRIT_CONTEXT_DEPTH
};

// The function's calls that may lead to an allocation, with their sites added to the table.
std::vector<ContextCall> find_context_calls(llvm::Function &function, const AllocationReach &reach,
                                            const Wrappers &wrappers, SiteTable &sites);

// Stores the contexts.
void insert_contexts(llvm::Function &function, llvm::ArrayRef<ContextCall> calls, SiteTable &sites,
                     Hooks &hooks);

} // namespace culprit
