// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small objects that unseen code is given the address of (runtime/locate/lent.h): a variable of the
// function, or what a reference refers to. Of any other pointer it is not known how much it points
// to.
#pragma once

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstrTypes.h"

#include <cstdint>

namespace culprit {

// Keeps what the compiler knows of references before that is dropped, with all else that an error
// may make untrue.
void note_references(llvm::CallBase &call);

// Bytes that a reference refers to; 0: it is a pointer, and that is not known.
uint64_t size_referred(const llvm::CallBase &call, unsigned argument);

// Bytes of the object that an argument points to; 0: none, or nobody writes there.
uint64_t size_lent(const llvm::CallBase &call, unsigned argument, const llvm::DataLayout &layout);
// Is there one for any argument?
bool lends(const llvm::CallBase &call, const llvm::DataLayout &layout);

} // namespace culprit
