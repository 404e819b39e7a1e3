// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `new` makes, kept through the optimiser. Clang notes the type on the call, and LLVM forgets
// it when the function around is inlined where exceptions are caught: the call becomes an invoke,
// which takes over attributes and no such metadata (changeToInvokeAndSplitBasicBlock). So in
// between the call has an attribute that says the same, by a key into a table of the module.
#pragma once

#include "llvm/IR/Module.h"

namespace culprit {

// Before anything is inlined.
void keep_new_types(llvm::Module &module);
// Puts them where clang does; the attributes and the table go.
void restore_new_types(llvm::Module &module);

} // namespace culprit
