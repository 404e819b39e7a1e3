// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call, or an invoke, of another function in the place of one: whoever gives a function other
// parameters or another result makes these of its calls.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace culprit {

// Right before `call`, which stays until its users are given something else.
llvm::CallBase &call_other(llvm::CallBase &call, llvm::Function &callee,
                           llvm::ArrayRef<llvm::Value *> arguments,
                           const llvm::AttributeList &attributes);

} // namespace culprit
