// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locals and return slots have their names from when they come to life until their function has
// ended. They come and go with every call, mostly where nothing else has a name: the tags of such a
// variable are drawn once and copied afterwards, by the code itself if it owns its granules
// (abi/access.h).
//
// A function left by an exception, by longjmp or by the end of its thread has not taken its locals
// off: unwound() and thread_ends() do, down to the lowest address any local of the thread had.
#pragma once

#include "runtime/access/families.h"

extern "C" {
// abi/access.h: all ones is none.
extern __thread uintptr_t __culprit_lowest_local
    __attribute__((tls_model("initial-exec"), visibility("default")));
}

namespace culprit::access {

void local_on(uintptr_t address, uint64_t size, culprit_variable &variable);
void local_off(uintptr_t address, uint64_t size);
// Of a variable that shares its granules with nothing that has a name: what tags they have is kept
// in culprit_variable.tags, as long as tags say everything.
void local_owns(uintptr_t address, culprit_variable &variable, culprit_variable *gap);
// They do not any more. Under the naming lock, after tags_are_free() has become false.
void take_tags_back();
// Nothing below this address of the calling thread's stack is alive.
void unwound(uintptr_t address);
void thread_ends();

} // namespace culprit::access
