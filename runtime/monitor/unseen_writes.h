// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap graph of a program without instrumentation: nothing in it tells of its stores, so the
// kernel is asked at each metric point which pages were written since the last one
// (os/written_pages.h), and their cards are marked. Where it does not say, every block is read.
//
// Nor does it tell of function entries: work is what allocations do (pacing.h).
#pragma once

#include "runtime/monitor/native_sites.h"
#include "runtime/monitor/state.h"
#include "runtime/monitor/vertexes.h"
#include "runtime/os/written_pages.h"

namespace culprit::monitor {

inline bool is_unmodified() { return g_features & kUnmodified; }

// Of a block that code without instrumentation asks for, by a call of the function this stands in
// (or of one that ends in calling it, which leaves the frame where it was). Where all code
// is so, the kernel tells what is written; in a flavour the block is looked at in every scan.
[[gnu::always_inline]] inline uint32_t native_mark() {
  return is_unmodified() ? native_context(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)))
                         : kNativeMark;
}

void watch_unseen_writes(); // when the monitor is made

// Marks the cards of all pages written since the last call; counts the pages. False: every block is
// to be read.
bool mark_unseen_writes(uint64_t &pages);

os::WrittenBy unseen_writes_known_by();

} // namespace culprit::monitor
