// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often an access has been executed.
//
// A store that only copies is a definition where it leaves its object, and nowhere else
// (pass/locate/accesses.cpp): its executions before that are known to nobody. Where it is asked
// which execution of the statement a target is (the option `counted`, for a debugger that shall
// stop there), each instruction of the place gets a breakpoint: the trap counts, puts the
// instruction back, and the step behind it sets the breakpoint anew. Some microseconds for each
// execution, so nobody else is to pay for it.
// Rules: before any code of the unit runs. One thread runs at a time (threads/), and none gives way
// within one instruction.
#pragma once

#include "runtime/locate/telling.h"

#include <ucontext.h>

namespace culprit::locate {

// In the unit's own rows. False: it has no instruction of its own, or too many.
bool count_place(uint32_t place);
bool count_place(AccessRows rows, uint32_t place);

// So far; 0: nothing is counted.
uint64_t executions_of_place();

// A trap that came of a breakpoint, or of the step behind it.
bool take_breakpoint(int code, ucontext_t *context);

} // namespace culprit::locate
