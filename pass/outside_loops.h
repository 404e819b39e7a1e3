// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where to put what a function needs once: before all its uses, on no path that has none if that
// can be, and outside all loops.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

namespace culprit {

// The nearest place that comes before all `uses` and runs at most once per call of the function;
// null if none of them can be reached.
llvm::Instruction *place_before_all(llvm::Function &function,
                                    llvm::ArrayRef<llvm::Instruction *> uses);

} // namespace culprit
