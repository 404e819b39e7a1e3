// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local variables that are no variables of the function's own: what is returned by value lives
// where the caller wants the result, from the start (`Shape s; …; return s;`). The caller's
// variable is declared already; but a member that nobody has set was not set here, and this is the
// declaration to look at.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace culprit {

struct ReturnedVariable {
  llvm::Instruction *from; // it begins to live before this one
  const llvm::DILocalVariable *variable;
  llvm::Argument *place;
};

llvm::SmallVector<ReturnedVariable, 1> returned_variables(llvm::Function &function);

} // namespace culprit
