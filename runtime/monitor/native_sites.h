// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who allocates in a program without instrumentation: the call of the allocation function, known by
// the address it returns to. Each gets a small number on first sight, and a record that says so; a
// context (contexts.h) is then a chain of that one site. More of the stack is not walked: without
// frame pointers it would take the unwind tables, at every allocation.
//
// Lookup takes no lock: an entry is claimed by its number and named by its address afterwards, and
// never moves.
#pragma once

#include <stdint.h>

namespace culprit::monitor {

bool create_native_sites();

// The number of the context; 0 when there are no more to be had.
uint32_t native_context(uintptr_t return_address);

// In the child of a fork: all of them, into the new file.
void append_native_sites_again();

} // namespace culprit::monitor
