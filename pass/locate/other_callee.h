// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another function in the place of one, and a call, or an invoke, of it in the place of each: for
// whoever gives a function other parameters or another result.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace culprit {

// Has the name and the code of `function`, which stays, empty, until its arguments and calls are
// given something else.
llvm::Function &other_function(llvm::Function &function, llvm::FunctionType &type,
                               const llvm::AttributeList &attributes);

// Right before `call`, which stays until its users are given something else.
llvm::CallBase &call_other(llvm::CallBase &call, llvm::Function &callee,
                           llvm::ArrayRef<llvm::Value *> arguments,
                           const llvm::AttributeList &attributes);

} // namespace culprit
