// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables get their names where they lie: globals when their unit is registered, locals and
// return slots when they come to life. Variables are not aligned to granules: a granule that
// several of them share has a kind of its own, so every byte keeps its name.
//
// Locals come and go with every call. What a granule's tag becomes when a variable is put on or
// taken off is kept in a table of 64-bit words, each key and answer in one, so that nothing is
// locked; a full granule's tag depends on the variable alone, that of a shared one also on what was
// there. A function left by an exception, by longjmp or by the end of its thread has not taken its
// locals off: names_below() does, down to the lowest address any local of the thread had.
#pragma once

#include "runtime/access/families.h"

namespace culprit::access {

bool create_variables();

void name_global(culprit_variable &variable);
void local_on(uintptr_t address, uint64_t size, culprit_variable &variable);
void local_off(uintptr_t address, uint64_t size);
// Nothing below this address of the calling thread's stack is alive.
void unwound(uintptr_t address);
void thread_ends();

// Takes all names from a range that is no block's.
void remove_names(uintptr_t address, uint64_t size);

// Bytes of globals named so far, and of locals now and at most, about.
uint64_t global_bytes();

} // namespace culprit::access
