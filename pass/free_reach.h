// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which calls may give a block back, by the call graph of the whole unit: after them, an address
// that was checked may belong to another object.
//
// Indirect calls may. Of the C library only free, realloc and what is handed a function of the
// program's; of the C++ library everything but const members. Functions that are defined elsewhere
// may, unless they only read memory. A function that frees what it has itself allocated, in the
// same call, frees nothing that its callers' pointers led to.
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace culprit {

class LibraryCalls;

class FreeReach {
public:
  FreeReach(const llvm::Module &module, LibraryCalls &library);

  bool may_free(const llvm::Instruction &instruction) const;

private:
  // What can be said without the call graph.
  bool leaves_to_free(const llvm::CallBase &call) const;

  LibraryCalls &library_;
  llvm::DenseSet<const llvm::Function *> reaching_; // defined in this unit
};

} // namespace culprit
