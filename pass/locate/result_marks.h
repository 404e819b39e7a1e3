// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a result is corrupt, said by who returns it. Where a function returns what it has read,
// it knows by the stain that it is not (clean_copies.h), while who called it would have to read the
// id to know. So it says so in one more element of its result, and the id need not be read
// (late_results.h).
//
// Rules: runs right before functions are copied; of results with one id.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace culprit {

constexpr unsigned kMarkOfResult = 2; // behind the result and its id

// The function that returns this id with its result and can say whether it is corrupt; null: none.
llvm::Function *returned_by(const llvm::Instruction &id);
void mark_result(llvm::Function &function);
// The call that says of this id whether it is corrupt; null: none does.
llvm::CallBase *marked_call(const llvm::Instruction &id);

} // namespace culprit
