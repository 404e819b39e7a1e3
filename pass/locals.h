// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which local variables are watched, and what they are called.
//
// Watched are those whose address gets out of sight, or that are indexed by what is not proved to
// stay inside: only at them can code write past the end or too late. What LLVM's stack-safety
// analysis proves safe over the whole unit is not watched, and a store to it needs no check.
// (A safe variable can still be hit by an overrun of another one. It has no name then, but the
// gaps behind arrays (pass/stack_gaps.h) and the return slots, which are watched in all functions
// that have a watched variable, do.)
//
// A variable belongs to the function it was written in, wherever it was inlined. One that the
// optimiser split is named by variable and member, as globals are; what the source has no name for
// (temporaries of expressions) is called "(temporary)", by function and line, and memory from
// alloca() after the variable that holds its address: "*p".
// Left out: arguments passed by value on the stack, and coroutines before they are split.
#pragma once

#include "pass/layouts.h"
#include "pass/variables.h"

#include "llvm/Analysis/StackSafetyAnalysis.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace culprit {

struct WatchedLocal {
  llvm::AllocaInst *place;
  Variable variable;          // size 0: known at run time only
  uint64_t gap = 0;           // bytes of no object behind it (pass/stack_gaps.h)
  bool owns_granules = false; // none is shared with anything else (pass/stack_gaps.h)
};

// To be called as long as nothing in the module is changed: the analysis looks at all of it.
std::vector<WatchedLocal> find_locals(llvm::Function &function,
                                      const llvm::StackSafetyGlobalInfo &safety, Layouts &layouts);

// The slot of the function's return address, with that of the frame pointer before it if the
// function is certain to save it there: who overwrites the one breaks the return as well.
Variable return_slot(const llvm::Function &function);

} // namespace culprit
