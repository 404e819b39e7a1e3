// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who calls whom in a module, as far as calls are direct.
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace culprit {

// The function that is called, behind casts and aliases; null if the call is indirect.
const llvm::Function *called_function(const llvm::CallBase &call);

// The same, if the module defines it.
const llvm::Function *called_here(const llvm::CallBase &call);

// The functions that have such an instruction, or call one that has, at any distance.
llvm::DenseSet<const llvm::Function *>
reaching(const llvm::Module &module, llvm::function_ref<bool(const llvm::Instruction &)> is_wanted);

} // namespace culprit
