// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The online semantics (abi/indexing.h): which region a pointer in memory was made for.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::explain {

void begin_regions();
void copy_regions(uintptr_t to, uintptr_t from, size_t size);
void clear_regions(uintptr_t start, size_t size);
// The start of the region that the pointer stored at this address was made for; 0: nobody knows.
uintptr_t region_carried(uintptr_t address);

} // namespace culprit::explain
