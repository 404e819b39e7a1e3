// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of no object behind arrays on the stack.
//
// What lies behind a buffer in its frame is often nothing that has a name: spilled and saved
// registers, variables proved safe. An overrun that ends there would meet no name and make no pair.
// So a watched variable that is an array or has one inside is given some bytes behind it that
// belong to nobody, and have a name that says so: whoever writes there has left the variable.
//
// In the main unit every watched variable owns its granules: it starts where one starts, and what
// is left of its last one is gap, also behind scalars. Then its tags do not depend on its
// neighbours, and the code can write them itself (abi/access.h): names come and go with each call.
//
// Rules: the variable stays where it is in its alloca, which only grows, with an alignment that is
// not less than it was; so all its uses, lifetimes and debug records hold. In other units scalars
// have no gap (an overrun goes from element to element); variables whose size is known at run time
// only have none anywhere.
#pragma once

#include "pass/locals.h"

#include <vector>

namespace culprit {

// Fills in `gap` of those locals that get one and `owns_granules`, if they shall (`own`). Accesses
// must have been found before: an alloca does not show the variable's size any more.
void add_stack_gaps(llvm::Function &function, std::vector<WatchedLocal> &locals, bool own);

// The gap behind a variable, as a variable.
Variable gap_behind(const WatchedLocal &local);

} // namespace culprit
