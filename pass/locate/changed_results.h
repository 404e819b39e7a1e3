// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another result for a function of which all calls are known: ids of results are passed beside them
// (id_parameters.h), and what is passed may be chosen better when code has been optimised.
//
// Rules: of a function that only code of the module calls, by its name, and whose callers take the
// elements of the result one by one.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace culprit {

bool can_change_result(const llvm::Function &function);

// Results that are chosen as a whole where ways meet are chosen element by element.
void take_results_apart(llvm::Function &function);

// What this function returns there is the value of an element; null: it cannot be told.
llvm::Value *element_returned(const llvm::ReturnInst &end, unsigned element);

// The function has another result from now on, and its code returns that already: the old one is
// gone, the new one has its name. Elements that have the same type are those that were there; for
// every other that a caller takes, `replace` is called, where it can insert code behind the call.
llvm::Function &change_result(
    llvm::Function &function, llvm::StructType &result,
    llvm::function_ref<void(llvm::ExtractValueInst &element, llvm::CallBase &changed)> replace);

// The end returns this instead, the other elements as they are.
void change_end(llvm::ReturnInst &end, llvm::StructType &result, unsigned element,
                llvm::Value &value);

// Behind a call, where its result is there.
llvm::BasicBlock::iterator behind_call(llvm::CallBase &call);

} // namespace culprit
