// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The signals a crash comes with: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP and SIGABRT are ours
// from the start, on an alternate stack. What the target does with them is kept and told to it when
// it asks, as if it were in force.
//   by the machine          a crash (CULPRIT_CRASH_SIGNAL, _EXHAUSTED) whatever the target does
//   SIGABRT by itself       a crash (_ABORT): abort, a failed assertion, std::terminate
//   another by itself       a crash (_ABORT), unless the target has a handler and so means it
//   by another process      none
// Then the target's handler runs, if it has one, or the process dies of the signal.
// A handler may interrupt instrumented code anywhere, between the ids of its arguments and the call
// that takes them, say: handlers of every signal run in between two copies of the globals
// (values.h), and what was interrupted finds its own. (A handler that jumps out has no way back.)
#pragma once

#include "runtime/locate/telling.h"
#include "runtime/os/signal.h"

#include <ucontext.h>

namespace culprit::locate {

void install_signal_handlers();

// Of what a signal interrupted.
void read_registers(const ucontext_t *context, Registers &registers);

// What the target does with a signal; 0, or the kernel's error number. In other flavours as
// os::change_signal_action.
int change_action(int signal, const os::SignalAction *now, os::SignalAction *before);

// Whether the target has a handler for a signal that no crash comes with.
bool has_other_handlers();

// A set of signals to be blocked without those by the machine, if this is a locate flavour: of one
// that is blocked the process dies before anybody can tell.
uint64_t without_faults(uint64_t mask);

} // namespace culprit::locate
