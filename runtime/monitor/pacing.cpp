// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See pacing.h.
#include "runtime/monitor/pacing.h"

#include "runtime/monitor/cards.h"
#include "runtime/monitor/contexts.h"
#include "runtime/start/options.h"

namespace culprit::monitor {

__thread ThreadWork g_thread_work __attribute__((tls_model("initial-exec")));
int64_t g_allocation_work = -1;

namespace {

constexpr uint64_t kFirstInterval = 2000;
constexpr uint64_t kRound = 1024; // points, then the minimum interval doubles
// Units of work that must be done for each unit of a point's cost: a card costs some 150 ns (its
// blocks, their targets' nodes: cache misses), a function entry some 5 ns, and a twentieth is what
// points may take.
constexpr uint64_t kPerCard = 600;
constexpr uint64_t kSlotsPerUnit = 2;
// However much a point would cost, one is due when the run has become longer by this part: a heap
// that only grows would have none otherwise.
constexpr uint64_t kLongest = 64;
constexpr uint64_t kShortest = 250; // allowance: below, settling itself would cost

uint64_t g_work;
uint64_t g_entries;
uint64_t g_allocated;
uint64_t g_point_work; // totals at the last point
uint64_t g_point_entries;
uint64_t g_points;
uint64_t g_interval = kFirstInterval;
uint64_t g_last_interval; // between the last two points
uint64_t g_slots;
uint64_t g_every;
uint64_t g_detail = 1;

uint64_t add(uint64_t &total, uint64_t value) {
  return __atomic_add_fetch(&total, value, __ATOMIC_RELAXED);
}
uint64_t load(const uint64_t &total) { return __atomic_load_n(&total, __ATOMIC_RELAXED); }
void store(uint64_t &total, uint64_t value) { __atomic_store_n(&total, value, __ATOMIC_RELAXED); }

void collect() {
  auto consumed = static_cast<uint64_t>(g_thread_work.refilled - __culprit_countdown);
  g_thread_work.refilled = __culprit_countdown;
  add(g_work, consumed);
  add(g_entries, consumed - g_thread_work.unentered);
  add(g_allocated, g_thread_work.allocated_bytes);
  g_thread_work.unentered = 0;
  g_thread_work.allocated_bytes = 0;
}

// What is still to be done before the next point.
uint64_t missing() {
  if (g_every) {
    uint64_t since = load(g_entries) - load(g_point_entries);
    return since >= g_every ? 0 : g_every - since;
  }
  uint64_t due = load(g_interval);
  uint64_t cost = load(g_pending_cards) * kPerCard + load(g_slots) / kSlotsPerUnit;
  uint64_t longest = load(g_point_work) / kLongest;
  if (cost > longest)
    cost = longest;
  if (cost > due)
    due = cost;
  uint64_t since = load(g_work) - load(g_point_work);
  return since >= due ? 0 : due - since;
}

void refill() {
  uint64_t allowance = missing();
  if (g_detail > 1) {
    uint64_t part = (g_every ? g_every : load(g_last_interval)) / g_detail;
    allowance = allowance < part ? allowance : part;
  }
  uint64_t shortest = g_every ? 1 : kShortest;
  if (allowance < shortest)
    allowance = shortest;
  // The hook is called when the countdown falls below zero: one entry after it reached it.
  __culprit_countdown = static_cast<int64_t>(allowance) - 1;
  g_thread_work.refilled = __culprit_countdown;
}

} // namespace

void create_pacing() {
  g_every = start::options().every;
  g_allocation_work = g_every ? 0 : -1;
}

bool settle() {
  collect();
  bool due = !missing();
  refill();
  return due;
}

void point_was_made(uint64_t slots) {
  store(g_last_interval, load(g_work) - load(g_point_work));
  store(g_point_work, load(g_work));
  store(g_point_entries, load(g_entries));
  store(g_slots, slots);
  if (++g_points % kRound == 0)
    store(g_interval, load(g_interval) * 2);
  refill();
}

Totals work_totals() { return {load(g_work), load(g_entries), load(g_allocated)}; }

bool has_new_work() {
  collect();
  return load(g_work) != load(g_point_work);
}

void set_detail(uint64_t factor) { g_detail = factor; }

void forget_points() { g_points = 0; }

} // namespace culprit::monitor
