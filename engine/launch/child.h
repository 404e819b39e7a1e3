// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a freshly forked child may do. Between fork and exec the other threads are gone and their
// locks are not: everything here is async-signal-safe (no allocation, no locks, no buffered
// output).
#pragma once

#include <csignal>
#include <sys/types.h>

namespace culprit::launch {

// What a child reports through a close-on-exec pipe when it could not come as far as exec. Silence
// is success.
struct ChildFailure {
  int step = 0; // a value of the caller's own enumeration
  int error = 0;
};

// fork() with all signals blocked in both, so that no handler of ours runs in the child. The
// parent's mask is restored on return; the child calls reset_signals() when it is ready.
pid_t fork_quietly();

// Every signal as by default, or, when `keep_ignored`, except those that were ignored; nothing
// blocked.
void reset_signals(bool keep_ignored);

// Asks the kernel to end us with `signal` when the thread that forked us ends. False: it is gone
// already.
bool end_with_parent(pid_t parent, int signal);

// dup2 that also works when `from` equals `to` (then it clears close-on-exec).
bool place_descriptor(int from, int to);

[[noreturn]] void report_failure(int pipe, ChildFailure failure);

} // namespace culprit::launch
