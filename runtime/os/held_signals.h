// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals wait while a thread holds a lock of ours, in programs that run as they are: their
// handlers may allocate, and one that interrupted the holder of a lock would wait for it for ever;
// one that interrupted a metric point would change the heap under it. Two system calls, for what is
// rare: a batch of blocks, a large block, a point. Flavours do without: their allocator is measured
// against others, and none of those allows it.
//
// Rules: nothing here is a lock itself. Calls nest.
#pragma once

#include <stdint.h>

// Defined in the library for such programs alone (start/unmodified.cpp).
extern "C" __attribute__((weak, visibility("default"))) const char __culprit_is_unmodified;

namespace culprit::os {

inline bool signals_wait() { return &__culprit_is_unmodified; }

void hold_signals();
void let_signals();
// In the child of a fork, whose locks were all held and are free now.
void let_all_signals();

} // namespace culprit::os
