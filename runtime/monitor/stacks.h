// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call stacks around a metric that leaves its range. The option `ranges` names a file of
// culprit_range (abi/monitor.h). When a metric comes within a quarter of its range's width of an
// end and moves towards it, stacks are kept in a ring, one at each settlement of a countdown, which
// then come kDetail times as often as points. If the metric crosses the end, the ring is written,
// the stack at the crossing, and some more after it; if it turns back, the ring is forgotten. With
// the option `approaches` the first stacks of an approach are written at once, crossing or not. The
// number of records of a run is bounded. Only under the point lock.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::monitor {

void create_stacks();

// Is any stack wanted? Without the lock.
extern bool g_stacks_wanted;

// A thread settled: `frame` is the frame of the hook it called.
void keep_stack(uintptr_t frame);
// After point `index`.
void watch_ranges(uint32_t index, uintptr_t frame);

} // namespace culprit::monitor
