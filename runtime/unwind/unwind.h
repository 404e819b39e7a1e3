// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call stacks by frame pointers: each frame begins with the caller's frame pointer and the return
// address. The target's flavours are built with frame pointers, its libraries may not be (walk.h is
// for them): then a frame pointer is any number. It is followed only while it is aligned, lies
// above the last one and inside the thread's own stack, all of which is readable; on a stack we do
// not know (signal, coroutine) the kernel is asked first. So no read faults, no lock is taken and
// nothing is allocated: usable in signal handlers.
#pragma once

#include "runtime/os/stack.h"

#include <stddef.h>
#include <stdint.h>

namespace culprit::unwind {

// Return addresses, innermost first, from the caller's frame on; how many.
size_t capture(uintptr_t *frames, size_t max);

// The same from a frame pointer and a program counter, e.g. those of a signal's context.
size_t capture_from(uintptr_t frame, uintptr_t pc, uintptr_t *frames, size_t max);

// The same in a handler on an alternate stack, of the stack it interrupted, whatever that is: the
// kernel is asked for every page.
size_t capture_interrupted(uintptr_t frame, uintptr_t pc, uintptr_t *frames, size_t max);

// Of this thread's stack; high is 0 as long as nobody asked, and where they cannot be known.
extern __thread os::StackLimits g_limits __attribute__((tls_model("initial-exec")));
const os::StackLimits &find_limits(uintptr_t stack_pointer);

// Up to where this thread's stack is readable; 0: `address` is on another stack.
inline uintptr_t stack_end(uintptr_t address) {
  const os::StackLimits &limits = g_limits.high ? g_limits : find_limits(address);
  return address >= limits.low && address < limits.high ? limits.high : 0;
}

// How many frames the option stack_depth asks for, at most kMaxDepth.
constexpr size_t kMaxDepth = 256;
size_t depth();

} // namespace culprit::unwind
