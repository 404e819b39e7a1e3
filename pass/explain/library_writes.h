// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions of the C library write for their caller (pass/library_table.h), told after the
// call as the caller's write: who asks for the last writer of a buffer is led to the call that
// filled it. And blocks that they allocate for the caller, which are then the program's.
#pragma once

#include "llvm/IR/InstrTypes.h"

namespace culprit {

class Hooks;
class LibraryCalls;

void tell_library_writes(llvm::CallBase &call, LibraryCalls &library, Hooks &hooks);

} // namespace culprit
