// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A metric point: the graph brought up to date and written down.
#pragma once

#include <stdint.h>

namespace culprit::monitor {

// The calling thread's countdown fell below zero; `frame` is that of the hook it called.
void work_done(uintptr_t frame);
// The last point of the process, if work was done since the one before and it can be afforded.
void finish();

// A point now, whatever the pace; false if it cannot be had (for tests).
bool make_point();

uint32_t point_index(); // of the last point; 0: none yet

// All contexts once more, into a file that was just opened: allocations began before it did.
void tell_callers_again();

void lock_points();
void unlock_points();
void reset_points_in_child();

} // namespace culprit::monitor
