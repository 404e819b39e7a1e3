// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the runtime when local variables and return slots come to life and end (abi/hooks.def:
// local_on, local_off, unwound).
//
// A variable lives from its lifetime.start to its lifetime.end, or from the function's entry to its
// exits if it has none; where a path leaves the function without an end, the exit is the end. One
// of variable length lives from where it is created until the stack is put back, or the exit. The
// slot of the return address is watched in every function with a watched variable: an overrun
// starts from one, and the return address of its own function is the first it meets; that of a
// function without such a variable can be reached only through other frames' slots.
//
// The gap behind a variable (pass/stack_gaps.h) lives as long as the variable does. A variable that
// owns few granules is named by the code itself, which writes its tags (abi/access.h); so is the
// return slot of a function of which all variables own theirs: the other half of its granule is
// then nobody's.
//
// Frames that an exception or longjmp leaves behind end where control comes back: at every landing
// pad (also at cleanups, whose calls reuse the memory) and behind every call that returns twice,
// all below the stack pointer is declared dead.
//
// Rules: the mark of an exit stands before a tail call (whose callee cannot use this function's
// variables), so that tail calls stay what they are. Nothing stands between musttail and return.
#pragma once

#include "pass/hooks.h"
#include "pass/locals.h"
#include "pass/names.h"

namespace culprit {

// `locals`: those of the function.
void insert_stack_marks(llvm::Function &function, const std::vector<WatchedLocal> &locals,
                        Names &names, Hooks &hooks);

} // namespace culprit
