// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the program that give up for their caller (`die`, `fatal`): whoever calls one does
// not go on, so a call of it is a stop, as one of abort is, and the condition that led to it is the
// caller's.
//
// Rules: only functions that are called by name alone, so that every call is known as one.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace culprit {

inline constexpr llvm::StringLiteral kDeadEnd = "culprit-dead-end";

void mark_dead_ends(llvm::Module &module);

bool is_dead_end(const llvm::CallBase &call);

// Does one of its calls not come back, be it seen or not?
bool ends_by_call(const llvm::BasicBlock &block);

} // namespace culprit
