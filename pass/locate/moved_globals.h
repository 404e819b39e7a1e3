// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Global variables whose address is looked up when a function begins, so that it can be another one
// in every execution (flavour reorder, abi/layout.h). The linker's place stays as the image of the
// initial value; the runtime copies it to wherever the variable shall be.
//
// Moved is what only this unit's own code can name: variables of local linkage (after the linker
// has seen the whole program nearly all are) that are written, lie in no section of the program's
// choosing, and whose every use is understood. A variable that assembler, a symbol of another name,
// thread-local data or code without instrumentation refers to stays where it is.
#pragma once

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

#include <vector>

namespace culprit {

// An address of a moved variable in an initial value.
struct MovedPointer {
  llvm::GlobalVariable *holder;
  uint64_t offset;
  llvm::GlobalVariable *global;
  int64_t addend;
};

// In the order of the module.
std::vector<llvm::GlobalVariable *> movable_globals(llvm::Module &module);

// Makes every use by instructions of the n-th of these use what is in table[n] instead.
void look_up_globals(llvm::ArrayRef<llvm::GlobalVariable *> globals, llvm::GlobalVariable &table);

// Where initial values hold addresses of these. Their holders become writable.
std::vector<MovedPointer> moved_pointers(llvm::Module &module,
                                         llvm::ArrayRef<llvm::GlobalVariable *> globals);

} // namespace culprit
