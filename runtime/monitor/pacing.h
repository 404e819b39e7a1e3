// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a metric point is due. Work is counted, never time, so that the same run has the same
// points: one unit per function entry, per card that becomes dirty, and 1 + bytes / 64 per
// allocation (settled in lumps of some 256). A program without instrumentation tells of its
// allocations alone: each stands for what happens between two of them, some units more
// (kPerUnseen). Each thread counts down its own allowance
// (abi/monitor.h) and settles when it is used up.
//
// With the option `every`: after that many function entries. Otherwise by a budget: a point is due
// when what points have cost so far and what the next will cost (marked cards) is at most a fixed
// share of the work done, and at least the minimum interval has passed, a small part of the run so
// far. So the share of time that points take is bounded whatever the program does, and short and
// long runs alike have some hundreds of points.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::monitor {

struct UpdateCost; // graph.h

struct Totals {
  uint64_t work;
  uint64_t entries;
  uint64_t allocated_bytes;
};

// What the thread did besides function entries, since it settled last.
struct ThreadWork {
  uint64_t spent;     // by allocations and not yet counted, in 64ths of a unit
  int64_t refilled;   // the countdown's value then, and what was added since
  int64_t held;       // part of the allowance that the countdown has not got yet
  uint64_t unentered; // units that are not function entries
  uint64_t allocated_bytes;
};
constexpr uint64_t kAllocationScale = 64;
constexpr uint64_t kAllocationLump = 256 * kAllocationScale;
extern __thread ThreadWork g_thread_work __attribute__((tls_model("initial-exec")));
extern int64_t g_allocation_work; // all ones, or 0 with the option `every`

void create_pacing();

// Takes what the thread's allocations spent from its countdown.
void drain_allocations();

// Adds the calling thread's work to the totals and gives it a new allowance. True: a point is due.
bool settle();
void point_was_made(const UpdateCost &cost);

Totals work_totals();
bool has_new_work(); // since the last point; settles
bool is_in_debt();   // points have cost more than they may

// Allowances become shorter by this factor, for call stacks between points (stacks.h); 1: as usual.
void set_detail(uint64_t factor);

} // namespace culprit::monitor
