// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C. The first SIGINT, SIGTERM or SIGHUP asks everything that holds interrupt_token() to stop:
// running targets and tools are ended, what was finished is kept. The second one removes our
// temporary directories and exits at once with 130; the kernel ends the children then (see
// docs/launching.md).
#pragma once

#include <stop_token>

namespace culprit::launch {

// The process-wide token. Never stopped unless handle_interrupts() was called.
std::stop_token interrupt_token();

// Installs the handlers and a thread that acts on them; once per process, by cli/, before other
// threads start. A signal that is ignored at the call (nohup) stays ignored.
void handle_interrupts();

// Called before the process ends by a second signal, which nothing else can clean up after; it does
// only what a signal handler may. Null: nothing is called.
void at_forced_exit(void (*last)());

// The signal that arrived first, 0 if none did.
int interrupt_signal();

} // namespace culprit::launch
