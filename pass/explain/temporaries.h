// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts into memory whatever lives across a call: phis, arguments, and temporaries of the compiler
// that are made before a call and used after it. A run may be stopped in any call, and its state is
// what then lies in memory: a value in a register could be neither compared nor replaced.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <string>

namespace culprit {

// Variables that keep the result of a call, by whom it calls: "f()". (Names of values themselves
// may be switched off.)
using ResultNames = llvm::DenseMap<const llvm::AllocaInst *, std::string>;

ResultNames put_temporaries_into_memory(llvm::Function &function);

} // namespace culprit
