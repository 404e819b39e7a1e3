// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the stack of a thread lies, and whether an address can be read at all.
#pragma once

#include <stdint.h>

namespace culprit::os {

struct StackLimits {
  uintptr_t low;  // of the mapping, or how far the main thread's stack may still grow
  uintptr_t high; // past the last readable byte; 0: unknown
};

// The limits of the stack that holds `address`, by reading the kernel's list of mappings: some 50
// microseconds.
StackLimits find_stack(uintptr_t address);

// How long the main thread's stack may become; ~0: no limit.
uint64_t stack_size_limit();

// Asks the kernel, which answers with an error where we would fault: some 100 ns.
bool is_readable(uintptr_t address);

} // namespace culprit::os
