// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of a program's global variables in memory. An overflow meets its neighbours, so a
// flavour must have those that the plain program has: the modules' variables in the order of their
// definitions, module by module as they are linked. Merging modules keeps no such order (variables
// come as they are referred to), so each module notes its own before it is merged.
#pragma once

namespace llvm {
class Module;
}

namespace culprit {

void note_global_order(llvm::Module &module);
// Puts the variables of the merged module into the order noted, and takes the notes out.
void restore_global_order(llvm::Module &module);

} // namespace culprit
