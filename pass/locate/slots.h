// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's variables that locate's code uses, and the slots among them in which a call's ids
// travel (abi/locate.h).
//
// Rules: a function that only code we see can call, by its name, finds its own slots always; its
// callers do not set __culprit_callee.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace culprit {

// A variable of the runtime, which is part of the executable.
llvm::GlobalVariable *runtime_variable(llvm::Module &module, llvm::StringRef name,
                                       llvm::Type *type);

llvm::Constant *argument_slot(llvm::Module &module, unsigned number);

// From here on the machine's faults are those of this place; 0: of the one in __culprit_place.
// Emits no instruction. Accesses are not moved across it.
void mark_place(llvm::IRBuilder<> &builder, unsigned number);

// Only code we see can call it, and not through a pointer.
bool is_called_by_name_only(const llvm::Function &function);

// At the function's entry: `theirs` if the slots are meant for it, else `otherwise`.
llvm::Value *if_meant(llvm::IRBuilder<> &builder, llvm::Function &function, llvm::Value *theirs,
                      llvm::Value *otherwise);

} // namespace culprit
