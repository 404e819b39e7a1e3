// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads as the kernel has them: sleeping on a word, whether one is still there, and system calls
// by number for functions of libc's that are made anew.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::os {

constexpr uint64_t kForever = ~uint64_t{0};

// Sleeps while the word has this value; at most so long. May return early (a signal, say).
void sleep_on(const uint32_t *word, uint32_t value, uint64_t nanoseconds);
void wake_sleepers(const uint32_t *word);

void yield_processor();
void sleep_until(uint64_t monotonic_ns);

// False: the kernel has no such thread of this process any more.
bool is_thread_there(int thread);

// Of this thread and of those it will make.
bool set_gs_base(uintptr_t base);

// The kernel's result: -errno if it failed.
long call_kernel(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                 long f = 0);

// A descriptor that somebody waits for, as poll(2) has it.
struct Polled {
  int descriptor;
  short events;
  short happened;
};

// How many are ready, 0 when the time is over or a signal came.
size_t poll(Polled *all, size_t count, uint64_t nanoseconds);

} // namespace culprit::os
