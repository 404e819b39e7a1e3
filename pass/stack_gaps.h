// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of no object behind arrays on the stack.
//
// What lies behind a buffer in its frame is often nothing that has a name: spilled and saved
// registers, variables proved safe. An overrun that ends there would meet no name and make no pair.
// So a watched variable that is an array or has one inside is given some bytes behind it that
// belong to nobody, and have a name that says so: whoever writes there has left the variable.
//
// Rules: the variable stays where it is in its alloca, which only grows, with the alignment it had;
// so all its uses, lifetimes and debug records hold. Scalars have no gap (an overrun goes from
// element to element), nor have variables whose size is known at run time only.
#pragma once

#include "pass/locals.h"

#include <vector>

namespace culprit {

// Fills in `gap` of those locals that get one. Accesses must have been found before: an alloca does
// not show the variable's size any more.
void add_stack_gaps(llvm::Function &function, std::vector<WatchedLocal> &locals);

// The gap behind a variable, as a variable.
Variable gap_behind(const WatchedLocal &local);

} // namespace culprit
