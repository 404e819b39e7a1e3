// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who allocates in a program without instrumentation: the last four calls that led to the
// allocation function, each known by the address it returns to. The stack is walked by unwind
// tables (unwind/walk.h). Each call gets a small number on first sight, and a record that says so;
// a context (contexts.h) is a chain of four of them, as in a flavour. A signal's handler begins a
// chain of its own.
#pragma once

#include <stdint.h>

namespace culprit::monitor {

bool create_native_sites();

// The number of the context in which the function with this frame, which has a frame pointer, was
// called; 0 when there are no more to be had.
uint32_t native_context(uintptr_t frame);

// All of them once more, into a new file.
void append_native_sites_again();

// Code may have been unloaded, and other code may come to lie there.
void forget_unloaded_sites();

} // namespace culprit::monitor
