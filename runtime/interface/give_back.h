// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// free() and operator delete: the heap's fast path, and behind it whose block it is.
#pragma once

#include "runtime/heap/allocate.h"
#include "runtime/interface/outermost.h"
#include "runtime/monitor/allocation.h"

namespace culprit::interface {

void give_back_slowly(void *address);

inline void give_back(void *address) {
  [[maybe_unused]] Outermost call;
  heap::free_with(address, give_back_slowly, monitor::leave_block);
}

} // namespace culprit::interface
