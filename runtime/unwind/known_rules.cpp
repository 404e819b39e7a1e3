// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See known_rules.h.
#include "runtime/unwind/known_rules.h"

#include "runtime/os/memory.h"
#include "runtime/unwind/call_frames.h"

namespace culprit::unwind {
namespace {

// Twice as many as call sites have numbers: some place near the first is free.
constexpr unsigned kBits = 17;
constexpr size_t kProbes = 32;
constexpr size_t kRules = (size_t{1} << kBits) + kProbes;
KnownRule *g_rules;

Rule load(const uint64_t &place) {
  return __builtin_bit_cast(Rule, __atomic_load_n(&place, __ATOMIC_ACQUIRE));
}

KnownRule *first_place(uintptr_t address) {
  return &g_rules[(address * 0x9e3779b97f4a7c15) >> (64 - kBits)];
}

bool claim(KnownRule &entry, uintptr_t found, uintptr_t address) {
  return found <= kGone && __atomic_compare_exchange_n(&entry.address, &found, address, false,
                                                       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

[[gnu::noinline]] Rule make_rule(uintptr_t address, uint64_t *&place) {
  const Rule rule = describe(address - 1);
  KnownRule *first = first_place(address);
  for (KnownRule *entry = first; entry < first + kProbes; ++entry) {
    const uintptr_t found = __atomic_load_n(&entry->address, __ATOMIC_ACQUIRE);
    if (found == address)
      break; // somebody else is making it
    if (!claim(*entry, found, address))
      continue;
    __atomic_store_n(&entry->rule, __builtin_bit_cast(uint64_t, rule), __ATOMIC_RELEASE);
    place = &entry->rule;
    return rule;
  }
  place = nullptr;
  return rule;
}

} // namespace

bool create_known_rules() { return os::map_table(g_rules, kRules); }

Rule find_rule(uintptr_t return_address, uint64_t *&place) {
  KnownRule *first = first_place(return_address);
  for (KnownRule *entry = first; entry < first + kProbes; ++entry) {
    const uintptr_t found = __atomic_load_n(&entry->address, __ATOMIC_ACQUIRE);
    if (found == return_address) [[likely]] {
      const Rule rule = load(entry->rule);
      if (!rule.made)
        break;
      place = &entry->rule;
      return rule;
    }
    if (!found)
      break;
  }
  return make_rule(return_address, place);
}

uint16_t number_rule(uint64_t &place, uint16_t number) {
  uint64_t before = __atomic_load_n(&place, __ATOMIC_RELAXED);
  for (;;) {
    Rule rule = __builtin_bit_cast(Rule, before);
    if (rule.number || !rule.made)
      return rule.number ? static_cast<uint16_t>(rule.number) : number;
    rule.number = number;
    if (__atomic_compare_exchange_n(&place, &before, __builtin_bit_cast(uint64_t, rule), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return number;
  }
}

// The rule first: who finds the address again finds no rule with it.
void forget_gone_rules() {
  for (size_t i = 0; g_rules && i < kRules; ++i) {
    const uintptr_t address = __atomic_load_n(&g_rules[i].address, __ATOMIC_ACQUIRE);
    FrameTables tables{};
    if (address <= kGone || !load(g_rules[i].rule).made || find_tables(address - 1, tables))
      continue;
    __atomic_store_n(&g_rules[i].rule, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&g_rules[i].address, kGone, __ATOMIC_RELEASE);
  }
}

KnownRules known_rules() { return {g_rules, g_rules ? kRules : 0}; }

} // namespace culprit::unwind
