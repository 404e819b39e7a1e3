// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of allocations (abi/indexing.h): how two flavours, or two runs, are compared by the
// indexes of their blocks.
#pragma once

#include <stdint.h>

namespace culprit::explain {

extern bool g_telling_allocations;

void begin_allocations();
void write_allocation(uint64_t index, uint64_t size);
inline void tell_allocation(uint64_t index, uint64_t size) {
  if (g_telling_allocations) [[unlikely]]
    write_allocation(index, size);
}
void finish_allocations();
// In the child of a fork, and in tests.
void forget_allocations();

} // namespace culprit::explain
