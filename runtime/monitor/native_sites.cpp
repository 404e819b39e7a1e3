// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See native_sites.h.
#include "runtime/monitor/native_sites.h"

#include "abi/monitor.h"
#include "runtime/monitor/contexts.h"
#include "runtime/monitor/recent_callers.h"
#include "runtime/run_file/process_records.h"
#include "runtime/run_file/writer.h"
#include "runtime/unwind/known_rules.h"
#include "runtime/unwind/walk.h"

namespace culprit::monitor {
namespace {

uint32_t g_next = 1;

void append_site(uint32_t number, uintptr_t address) {
  culprit_record_native_site record{number, 0, address};
  run_file::Part part{&record, sizeof record};
  run_file::append(CULPRIT_RECORD_native_site, &part, 1);
}

uint16_t take_number() {
  uint32_t number = __atomic_fetch_add(&g_next, 1, __ATOMIC_RELAXED);
  if (number <= CULPRIT_LARGEST_SITE)
    return static_cast<uint16_t>(number);
  __atomic_store_n(&g_next, CULPRIT_LARGEST_SITE + 1, __ATOMIC_RELAXED);
  return 0;
}

// A call whose rule has no place (a signal handler came while it was made) gets a number of its
// own, and so do two threads that meet a call first at the same moment: readers of run files add up
// by address.
[[gnu::noinline]] uint16_t number_site(uintptr_t address, uint64_t *place) {
  uint16_t number = take_number();
  if (!number)
    return 0;
  if (place)
    number = unwind::number_rule(*place, number);
  run_file::append_module_at(address);
  append_site(number, address);
  return number;
}

} // namespace

bool create_native_sites() { return unwind::create_known_rules(); }

namespace {

[[gnu::noinline]] uint32_t walk_to_context(unwind::Walk walk) {
  const uintptr_t stack = walk.stack;
  Callers callers{};
  bool by_code_alone = true; // how the frames lie
  uint64_t chain = 0;
  unsigned at = 0;
  for (;;) {
    uint64_t *place = nullptr;
    const unwind::Rule rule = unwind::find_rule(walk.pc, place);
    // Code that was made while the program runs is in no file: a number would say nothing.
    if (!rule.known || rule.signal)
      break;
    // What begins a stack calls main in every program.
    if (rule.bottom && at) {
      for (; at < CULPRIT_CONTEXT_DEPTH; ++at) { // known again by finding it once more
        callers.addresses[at] = walk.pc;
        callers.distances[at - 1] = static_cast<uint32_t>(walk.stack - stack - sizeof(uintptr_t));
      }
      break;
    }
    uint64_t site = rule.number;
    if (!site) [[unlikely]]
      site = number_site(walk.pc, place);
    chain |= site << (at * CULPRIT_CONTEXT_SHIFT);
    callers.addresses[at] = walk.pc;
    if (++at == CULPRIT_CONTEXT_DEPTH || !unwind::step(walk, rule))
      break;
    by_code_alone &= rule.base == unwind::Rule::from_stack && walk.stack - stack < UINT32_MAX;
    callers.distances[at - 1] = static_cast<uint32_t>(walk.stack - stack - sizeof(uintptr_t));
  }
  const uint32_t context = find_context(chain);
  if (by_code_alone && at == CULPRIT_CONTEXT_DEPTH)
    remember_context(callers, context);
  return context;
}

} // namespace

uint32_t native_context(uintptr_t frame) {
  const unwind::Walk walk = unwind::begin_walk(frame);
  if (uint32_t known = recall_context(walk)) [[likely]]
    return known;
  return walk_to_context(walk);
}

void append_native_sites_again() {
  const unwind::KnownRules rules = unwind::known_rules();
  for (size_t i = 0; i < rules.count; ++i) {
    const uintptr_t address = __atomic_load_n(&rules.at[i].address, __ATOMIC_ACQUIRE);
    const auto rule =
        __builtin_bit_cast(unwind::Rule, __atomic_load_n(&rules.at[i].rule, __ATOMIC_ACQUIRE));
    if (address > unwind::kGone && rule.number)
      append_site(static_cast<uint32_t>(rule.number), address);
  }
}

void forget_unloaded_sites() {
  unwind::forget_gone_rules();
  forget_callers();
}

} // namespace culprit::monitor
