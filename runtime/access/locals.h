// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locals and return slots have their names from when they come to life until their function has
// ended. They come and go with every call, mostly where nothing else has a name: the tags of such a
// variable are drawn once and copied afterwards.
//
// A function left by an exception, by longjmp or by the end of its thread has not taken its locals
// off: unwound() and thread_ends() do, down to the lowest address any local of the thread had.
#pragma once

#include "runtime/access/families.h"

namespace culprit::access {

void local_on(uintptr_t address, uint64_t size, culprit_variable &variable);
void local_off(uintptr_t address, uint64_t size);
// Nothing below this address of the calling thread's stack is alive.
void unwound(uintptr_t address);
void thread_ends();

} // namespace culprit::access
