// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a search returns was mostly read from memory, its id with it, and who called it mostly wants
// the id only if an access faults. So a function that returns an id that it has read (id_reads.h)
// returns the address of the id's cells instead, and the callers read there, behind the call: from
// then on it is an id of theirs that may be read late (late_reads.h) or never.
//
// Other ids of the same result are put into a variable of ours (abi/locate.h), whose address is
// returned. Nobody is called between that and the last look at it: a call ends how long such an
// address is good for.
//
// Rules: of a function that only code of the module calls, by its name. Where nothing can have been
// written between the read and the return. Its callers are changed, so they come later.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace culprit {

// True if it was changed: the function is gone, another has its name.
bool return_cells(llvm::Function &function);

// Is this the address of cells, out of what such a function has returned?
bool is_returned_cells(const llvm::Value &address);

} // namespace culprit
