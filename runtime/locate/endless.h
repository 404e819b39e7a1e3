// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that does not end, told as a crash of its own kind.
//
// When its time is over, a timer's signal interrupts it. What it goes round by are values that were
// there before (a ring of nodes): their ids do not grow any more, while everything that the loop
// itself makes is newer than the signal. So it is executed instruction by instruction for a while;
// each access that tells (telling.h) shows its leaves, and the newest id that is older than the
// signal is what is told, at the access that uses it. That depends on what the program goes round,
// not on when the signal came.
//
// Rules: nothing is done before the time is over. A program that waits in the kernel makes no
// steps, and is told without a place.
#pragma once

#include <stdint.h>
#include <ucontext.h>

namespace culprit::locate {

// From now on; 0: never.
void limit_time(uint64_t milliseconds);

// A trap of the machine: false: not ours.
bool take_step(ucontext_t *context);

} // namespace culprit::locate
