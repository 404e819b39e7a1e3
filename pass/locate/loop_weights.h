// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches that end a loop or go round it again say how often they do either, as LLVM estimates it
// before anything is inserted.
//
// In the suppress flavour a branch that is hardly ever taken stands before each of the program's
// own, and mostly leads to where the loop ends. LLVM makes one branch of the two and takes what has
// no weights for even; of that, rotating the loop makes one that never goes round again. Everything
// behind that, the place of ids (late_reads.h) and of spills, then takes the inside of loops for
// cold.
#pragma once

#include "llvm/IR/Function.h"

namespace culprit {

// Branches that have weights keep them.
void weigh_loops(llvm::Function &function);

} // namespace culprit
