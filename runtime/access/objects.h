// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lies around a named byte: the object's extent, and the name before it. For records and
// events only: it walks.
#pragma once

#include "runtime/access/families.h"

namespace culprit::access {

struct Extent {
  uintptr_t start;
  uint64_t size;
};

// Of the object that has this name at this address.
Extent extent_of(uintptr_t address, Name name);

// The name just before the object (of a member: before the member), over the slack of the block
// before and over padding of at most 64 bytes; 0: none.
Name name_before(uintptr_t address, Name name, const Extent &extent);

// The name this byte, which now has `name`, had when another context's block lived here, or before
// the block was freed; 0: none, or no block.
Name name_previously(uintptr_t address, Name name);

} // namespace culprit::access
