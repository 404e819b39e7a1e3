// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts of allocations that came from the same calls before: a thread allocates again and again
// in the same few ways, and walking the stack frame by frame, each step waiting for the one before,
// takes longer than malloc itself.
//
// Where code keeps no frame pointer, the distance from one return address to the next depends on
// the code alone. So the distances of the last walk from a call are tried first: if the return
// addresses found there are those of an earlier walk that had these distances, it would take the
// same way again, and its context is the answer. Anything else is walked.
//
// Per thread; an entry is valid when its first address is set, last: a signal handler finds whole
// ones or none.
#pragma once

#include "abi/monitor.h"
#include "runtime/unwind/walk.h"

namespace culprit::monitor {

struct Callers {
  uintptr_t addresses[CULPRIT_CONTEXT_DEPTH]; // innermost first
  uint32_t
      distances[CULPRIT_CONTEXT_DEPTH - 1]; // of the others, from the stack pointer of the first
};

// The context of these callers if they are known; 0: walk.
uint32_t recall_context(const unwind::Walk &walk);
// After a walk of full depth in which no frame pointer was needed.
void remember_context(const Callers &callers, uint32_t context);
// Code may have been unloaded.
void forget_callers();

} // namespace culprit::monitor
