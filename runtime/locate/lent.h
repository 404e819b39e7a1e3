// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small objects that code nobody sees is given the address of, for it may write there: `in >> n`
// has set n, which is not the variable that was never written any more. What the object held is put
// aside before the call; cells that differ behind it have been written by it.
#pragma once

#include "runtime/locate/shadow.h"

namespace culprit::locate {

// Copies what an object holds before the call; how many bytes it was: 0 if nothing can be said of
// that address.
size_t lend(uintptr_t address, size_t size, void *copy);

// Behind the call, whose id this is.
void take_back(uintptr_t address, size_t size, const void *copy, Id id);

// The call was left out: cells that nobody has written before might have been written by it. Of a
// local variable, or of a block.
void keep_back(uintptr_t address, size_t size, Id id);

} // namespace culprit::locate
