// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access sets, made and ended as one: with the monitor (monitor/state.h), in flavours that watch
// accesses.
#pragma once

#include "abi/features.h"
#include "runtime/monitor/state.h"

namespace culprit::access {

inline bool is_on() { return monitor::g_features & CULPRIT_FEATURE_ACCESS; }

// False if address space is short.
bool create();

// At exit, _exit and before exec: counts, and what was watched.
void finish();
void append_counts_now();

void lock();
void unlock();
void reset_lock();
void restart_in_child(); // of a fork: everything is told again, into its own file

} // namespace culprit::access
