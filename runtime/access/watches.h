// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// culprit_watch_on: the target's own functions, called before an access to a range it named. The
// granules of a watched range have kinds of their own (kinds.h) that never get a bit in a row, so
// that every access comes to the check. A block allocated inside a watched range later has its
// ordinary tags: watch it anew.
#pragma once

#include "include/culprit/watch.h"
#include "runtime/access/kinds.h"

namespace culprit::access {

extern uint32_t g_watches; // how many there are

inline bool has_watches() { return __atomic_load_n(&g_watches, __ATOMIC_RELAXED) != 0; }

// Is the granule, or a part of it, watched?
bool is_watched(uintptr_t granule);

bool watch_on(uintptr_t address, uint64_t length, unsigned flags, culprit_watcher *function,
              void *data);
bool watch_off(uintptr_t address, uint64_t length, unsigned flags, culprit_watcher *function);

// A block was allocated here and has its names: what is watched of it stays so.
void watch_again(uintptr_t address, uint64_t length);

// Those whose range and flags this access meets. `frame`: of the hook; its caller is the access.
void call_watchers(uintptr_t address, uint64_t length, bool is_write, uintptr_t frame);

} // namespace culprit::access
