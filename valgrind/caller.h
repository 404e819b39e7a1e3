// SPDX-License-Identifier: GPL-2.0-or-later
// Who called into the system's libraries: every call by other code notes where it returns to and
// where on the stack that is kept. As long as the stack is not above that place, that call is not
// over. Otherwise (a callback came back, a longjmp, a signal handler ended) the stack is walked.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

struct Caller {
  Addr returns_to; // 0: nobody but system code is on the stack
  Addr stack;
};
extern Caller g_caller; // of the thread that runs

// The stack of the thread, innermost first, as return addresses: the innermost is the instruction
// it is at. The core's own idea of that is behind at times: where a translation goes on into a
// function that is called.
UInt call_stack(ThreadId thread, Addr instruction, Addr *addresses, UInt room,
                Addr *stacks = nullptr);

// Of the thread, which is running system code.
Addr calling_site(ThreadId thread, Addr instruction);
void switch_caller(ThreadId thread);

} // namespace culprit::deep
