// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ids have to be read from memory when a value is, and which can wait.
//
// An id that is only asked whether it is corrupt need not be read before anything is: nobody will
// see it. And the id of a pointer that an access follows right after it was read stands where the
// pointer was read, as long as nothing has been written since: a crash is early enough to read it.
//
// Rules: decided on the program's own code, before anything is inserted, and the same in all
// flavours. When in doubt an id is needed.
#pragma once

#include "pass/locate/plan.h"

namespace culprit {

// Sets `late` and `unasked` of the plan.
void find_id_needs(llvm::Function &function, Plan &plan);

} // namespace culprit
