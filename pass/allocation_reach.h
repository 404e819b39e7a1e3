// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which calls may lead to an allocation, by the call graph of the whole unit.
//
// Indirect calls may. Functions of the C and C++ libraries that pass/library_calls knows may not:
// what they allocate for themselves is theirs. But the buffer of a std::string is the program's:
// the runtime makes it in libstdc++'s place (runtime/interface/libstdcxx_string.cpp), by the
// context of the call, which would be that of any allocation before if the call were not counted.
// Other functions that are defined elsewhere may: they are other units of the program, or libraries
// that call back.
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace culprit {

class LibraryCalls;

class AllocationReach {
public:
  AllocationReach(llvm::Module &module, LibraryCalls &library);

  // A call of an allocation function, or of anything that may end in one.
  bool may_allocate(const llvm::CallBase &call) const;

private:
  // What can be said without the call graph.
  bool leaves_to_allocate(const llvm::CallBase &call) const;

  LibraryCalls &library_;
  llvm::DenseSet<const llvm::Function *> reaching_; // defined in this unit
};

// A call of a library's allocation function, by name.
bool is_allocation(const llvm::CallBase &call);

} // namespace culprit
