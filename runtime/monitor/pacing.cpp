// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See pacing.h.
#include "runtime/monitor/pacing.h"

#include "runtime/monitor/cards.h"
#include "runtime/monitor/contexts.h"
#include "runtime/monitor/graph.h"
#include "runtime/monitor/unseen_writes.h"
#include "runtime/start/options.h"

namespace culprit::monitor {

__thread ThreadWork g_thread_work __attribute__((tls_model("initial-exec")));
int64_t g_allocation_work = -1;

namespace {

// The shortest interval: a fixed part of the run so far.
constexpr uint64_t kFirstInterval = 250;
constexpr uint64_t kIntervals = 128;

// What a point costs, in units of work of 4 ns each (in bench/programs a unit takes 3 ns where
// functions do little else than link, and more everywhere else). Fitted to the time that points
// took there: 3 us for itself, 2 ns for a word read again, 50 ns for a block whose targets changed
// (their nodes are far away), 25 ns for a birth or a death, 0.5 ns for a slot compared.
constexpr uint64_t kPerPoint = 750;
constexpr uint64_t kPerCard = 2;
constexpr uint64_t kWordsPerUnit = 2;
constexpr uint64_t kPerChange = 12;
constexpr uint64_t kPerBirth = 6;
constexpr uint64_t kSlotsPerUnit = 8;
// A page the kernel protects again costs the target a fault at its next store, 1 us.
constexpr uint64_t kPerWrittenPage = 250;
// What a marked card is expected to cost: as those before, in 64ths. At first 16 words, two changes
// and two births.
constexpr uint64_t kExpectedScale = 64;
constexpr uint64_t kFirstExpected = 48 * kExpectedScale;

// What points may take: one part in 32 of the work, and more at first: several times the work
// itself up to 4 million units (16 ms), then another half whenever the run is twice as long.
// Short runs need points, too, and a unit of work that only allocates and links is cheaper than
// looking at its result once; but what is spent at the start is missing later.
constexpr uint64_t kShare = 32;
constexpr unsigned kHeadStartBits = 19;
constexpr uint64_t kHeadStart = uint64_t{1} << kHeadStartBits; // of the work
constexpr uint64_t kHeadStartTimes = 8;
constexpr uint64_t kPerDoubling = kHeadStart;

uint64_t allowed_at(uint64_t work) {
  if (work < kHeadStart)
    return work * kHeadStartTimes;
  auto doublings = 63 - kHeadStartBits - static_cast<unsigned>(__builtin_clzll(work));
  uint64_t beyond = (work - (kHeadStart << doublings)) >> doublings; // of the next, in proportion
  return kHeadStart * kHeadStartTimes + doublings * kPerDoubling +
         beyond * (kPerDoubling / kHeadStart) + work / kShare;
}

// How much work earns a unit, about: exact is what the next settlement finds.
uint64_t price_at(uint64_t work) {
  constexpr uint64_t kEqual = kShare * kPerDoubling * 3 / 2; // both sources earn alike
  return work < kHeadStart ? 0 : 1 + kShare * work / (work + kEqual);
}

// However much it costs, a point is due when the run is four times as long as at the last one: a
// heap that only grows would have none otherwise. In debt, with more spent than allowed, it is due
// as many times later.
constexpr uint64_t kLongest = 3;
constexpr uint64_t kDebtScale = 16;
constexpr uint64_t kShortest = 125; // allowance: below, settling itself would cost

// Without function entries a unit of allocation stands for this many: some 40 ns from one malloc to
// the next are little for a program that does anything else.
constexpr int64_t kPerUnseen = 8;

uint64_t g_work;
uint64_t g_entries;
uint64_t g_allocated;
uint64_t g_point_work; // totals at the last point
uint64_t g_point_entries;
uint64_t g_last_interval;             // between the last two points
uint64_t g_spent;                     // by points, in units of work
uint64_t g_expected = kFirstExpected; // of a marked card
uint64_t g_every;
uint64_t g_detail = 1;

uint64_t add(uint64_t &total, uint64_t value) {
  return __atomic_add_fetch(&total, value, __ATOMIC_RELAXED);
}
uint64_t load(const uint64_t &total) { return __atomic_load_n(&total, __ATOMIC_RELAXED); }
void store(uint64_t &total, uint64_t value) { __atomic_store_n(&total, value, __ATOMIC_RELAXED); }

void collect() {
  drain_allocations();
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
  uint64_t work = load(g_work);
  uint64_t since = work - load(g_point_work);
  uint64_t interval = work / kIntervals;
  interval = interval < kFirstInterval ? kFirstInterval : interval;
  uint64_t wait = since >= interval ? 0 : interval - since;
  uint64_t cost =
      load(g_spent) + kPerPoint + load(g_pending_cards) * load(g_expected) / kExpectedScale;
  uint64_t allowed = allowed_at(work);
  if (cost > allowed) {
    uint64_t price = price_at(work);
    uint64_t earned = price ? (cost - allowed) * price : (cost - allowed) / kHeadStartTimes;
    uint64_t longest = load(g_point_work) * kLongest;
    if (uint64_t spent = load(g_spent); spent > allowed)
      longest = longest * (spent * kDebtScale / (allowed + 1)) / kDebtScale;
    uint64_t forced = since >= longest ? 0 : longest - since;
    earned = earned < forced ? earned : forced;
    wait = wait > earned ? wait : earned;
  }
  return wait;
}

// Between two points a stack may be wanted: the countdown then gets its allowance in parts, and no
// more happens at the end of a part than that it gets the next. So the points are the same.
void add_part() {
  int64_t part = g_thread_work.held;
  if (g_detail > 1) {
    auto wanted = static_cast<int64_t>((g_every ? g_every : load(g_last_interval)) / g_detail);
    wanted = wanted < 1 ? 1 : wanted;
    part = part < wanted ? part : wanted;
  }
  g_thread_work.held -= part;
  g_thread_work.refilled += part;
  __culprit_countdown += part;
}

void refill() {
  uint64_t allowance = missing();
  uint64_t shortest = g_every ? 1 : kShortest;
  if (allowance < shortest)
    allowance = shortest;
  g_thread_work.held = static_cast<int64_t>(allowance);
  // The hook is called when the countdown falls below zero: one entry after it reached it.
  __culprit_countdown = -1;
  g_thread_work.refilled = -1;
  add_part();
}

} // namespace

void create_pacing() {
  g_every = is_unmodified() ? 0 : start::options().every; // there are no entries
  g_allocation_work = g_every ? 0 : -1;
}

void drain_allocations() {
  auto units = static_cast<int64_t>(g_thread_work.spent / kAllocationScale) & g_allocation_work;
  if (is_unmodified())
    units *= kPerUnseen;
  g_thread_work.spent %= kAllocationScale;
  __culprit_countdown -= units;
  g_thread_work.unentered += static_cast<uint64_t>(units);
}

bool settle() {
  while (g_thread_work.held && __culprit_countdown < 0)
    add_part();
  if (__culprit_countdown >= 0)
    return false;
  collect();
  bool due = !missing();
  refill();
  return due;
}

void point_was_made(const UpdateCost &cost) {
  uint64_t spent = cost.cards * kPerCard + cost.scan.words / kWordsPerUnit +
                   cost.scan.changes * kPerChange + (cost.born + cost.died) * kPerBirth +
                   cost.slots / kSlotsPerUnit + cost.visited + cost.pages * kPerWrittenPage;
  store(g_spent, load(g_spent) + kPerPoint + spent);
  // Points of a few cards say little, and one of many is not yet the rule.
  constexpr uint64_t kWeight = 64;
  store(g_expected, (load(g_expected) * kWeight + spent * kExpectedScale) / (kWeight + cost.cards));
  store(g_last_interval, load(g_work) - load(g_point_work));
  store(g_point_work, load(g_work));
  store(g_point_entries, load(g_entries));
  // Nobody counts what will be written: as much as before the last point.
  if (is_unmodified())
    store(g_pending_cards, cost.cards);
  refill();
}

Totals work_totals() { return {load(g_work), load(g_entries), load(g_allocated)}; }

bool is_in_debt() { return !g_every && load(g_spent) > allowed_at(load(g_work)); }

bool has_new_work() {
  collect();
  return load(g_work) != load(g_point_work);
}

void set_detail(uint64_t factor) { g_detail = factor; }

} // namespace culprit::monitor
