// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves checks out of loops: of an address that does not change, to before the loop; of accesses
// that go through memory without gaps, one range before the loop that covers all of them.
//
// Only what is certain to happen once the loop is entered, as often as can be computed there:
// nothing is ever told that does not happen. And only if nothing in the loop may free, since the
// names of what is accessed are looked up too early otherwise. What the optimiser unrolled or made
// wider are several accesses of one place in the source, which go without gaps together.
#pragma once

#include "pass/accesses.h"
#include "pass/free_reach.h"

#include "llvm/IR/PassManager.h"

#include <vector>

namespace culprit {

// May add code (addresses and lengths) and blocks before loops.
void hoist_accesses(llvm::Function &function, std::vector<Access> &accesses,
                    llvm::FunctionAnalysisManager &analyses, const FreeReach &frees);

} // namespace culprit
