// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals by the kernel's own calls: actions, the alternate stack, sending one to oneself. libc's
// functions of these names are the target's, which are wrapped (interface/signal.cpp).
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::os {

constexpr int kSignals = 65; // numbers 1..64

// As the kernel has it. `handler`: 0 default, 1 ignored, else the function's address.
struct SignalAction {
  uintptr_t handler;
  uint64_t flags; // SA_…; the restorer is added when it is set
  uintptr_t restorer;
  uint64_t mask; // bit n - 1: signal n
};

// Either may be null. 0, or the kernel's error number.
int change_signal_action(int signal, const SignalAction *now, SignalAction *before);

// Handlers that ask for it run there, on this thread.
void set_signal_stack(void *start, size_t size);

// To this thread; delivered on return if it is not blocked.
void send_to_this_thread(int signal);
void send_to_thread(int thread, int signal);
// To the process, after so much time and from then on again and again; not to its children.
void send_after(int signal, uint64_t milliseconds, uint64_t again);
void block_signals_of(uint64_t mask);
// As sigprocmask; `set` may be null. 0, or the kernel's error number.
int change_signal_mask(int how, const uint64_t *set, uint64_t *before);
void allow_signal(int signal);

// The process dies of this signal, whatever the target does with it.
[[noreturn]] void die_of(int signal);

} // namespace culprit::os
