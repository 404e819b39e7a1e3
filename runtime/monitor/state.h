// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is this a monitor flavour, and is its monitor made? The executable says so by defining a symbol,
// so the answer is there before any code of ours ran. Everything the monitor needs is made on first
// use: by the first allocation or at start-up, whichever comes first, always before instrumented
// code.
#pragma once

#include "abi/monitor.h"
#include "runtime/os/held_signals.h"
#include "runtime/start/features.h"

extern "C" __attribute__((weak, visibility("default"))) const char __culprit_is_monitor;

namespace culprit::monitor {

extern bool g_on;           // valid once the first block was allocated or start-up ran
extern unsigned g_features; // culprit_feature bits and those below; 0 while !g_on

// In g_features, beside what the flavour says: single nodes are enlarged (allocation.h). So are
// they with access sets, and with the option `gaps`: when metric points are taken depends on which
// cards are written, and so on where blocks lie, and a run repeated in the blame flavour is to have
// its points where the first had them.
constexpr unsigned kGaps = 64;

// The program watches addresses (access/watches.h): a block may come to lie there.
constexpr unsigned kWatching = 128;

// The program has no instrumentation at all (unseen_writes.h).
constexpr unsigned kUnmodified = 256;

inline bool has_heap_graph() { return g_features & CULPRIT_FEATURE_HEAP; }
inline bool has_access_sets() { return g_features & CULPRIT_FEATURE_ACCESS; }

void make();

// True in a monitor flavour; makes the monitor if that has not happened.
inline bool ensure() {
  if (!&__culprit_is_monitor) [[likely]]
    return false;
  if (!__atomic_load_n(&g_on, __ATOMIC_ACQUIRE))
    make();
  return true;
}

// The target has, or had, more than one thread.
bool has_threads();

// Waits until every running thread's stores so far can be seen here.
void see_all_stores();

} // namespace culprit::monitor
