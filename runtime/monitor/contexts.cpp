// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See contexts.h.
#include "runtime/monitor/contexts.h"

#include "runtime/os/memory.h"
#include "runtime/run_file/writer.h"

extern "C" {
__thread int64_t __culprit_countdown;
__thread uint64_t __culprit_context;
}

namespace culprit::monitor {

ContextEntry *g_first_contexts;

namespace {

using Entry = ContextEntry;

constexpr unsigned kLevels = 4;
constexpr unsigned kLevelBits = 4;
constexpr unsigned kProbes = 16;

Entry *g_levels[kLevels];
uint64_t *g_chains; // by number
uint32_t g_next = 1;

void append_context(uint32_t number, uint64_t chain) {
  culprit_record_context record{number, 0, chain};
  run_file::Part part{&record, sizeof record};
  run_file::append(CULPRIT_RECORD_context, &part, 1);
}

} // namespace

bool create_contexts() {
  size_t bits = kFirstContextBits;
  for (Entry *&level : g_levels) {
    level = reinterpret_cast<Entry *>(os::map_sparse(0, (size_t{1} << bits) * sizeof(Entry)));
    if (!level)
      return false;
    bits += kLevelBits;
  }
  g_first_contexts = g_levels[0];
  g_chains = reinterpret_cast<uint64_t *>(os::map_sparse(0, kMaxContexts * sizeof(uint64_t)));
  return g_chains != nullptr;
}

uint32_t find_context(uint64_t chain) {
  if (!chain)
    return 0;
  uint64_t hash = mix_chain(chain);
  size_t bits = kFirstContextBits;
  for (Entry *level : g_levels) {
    size_t mask = (size_t{1} << bits) - 1;
    for (size_t probe = 0; probe < kProbes; ++probe) {
      Entry &entry = level[(hash + probe) & mask];
      uint64_t found = __atomic_load_n(&entry.chain, __ATOMIC_ACQUIRE);
      if (found == chain)
        return __atomic_load_n(&entry.number, __ATOMIC_RELAXED);
      if (found || __atomic_load_n(&entry.number, __ATOMIC_RELAXED))
        continue;
      uint32_t number = __atomic_fetch_add(&g_next, 1, __ATOMIC_RELAXED);
      if (number >= kMaxContexts) {
        __atomic_store_n(&g_next, kMaxContexts, __ATOMIC_RELAXED);
        return 0;
      }
      uint32_t expected = 0;
      bool claimed = __atomic_compare_exchange_n(&entry.number, &expected, number, false,
                                                 __ATOMIC_RELAXED, __ATOMIC_RELAXED);
      __atomic_store_n(&g_chains[number], chain, __ATOMIC_RELAXED);
      if (claimed) // otherwise the number is good all the same, but has no entry to find it by
        __atomic_store_n(&entry.chain, chain, __ATOMIC_RELEASE);
      append_context(number, chain);
      return number;
    }
    bits += kLevelBits;
  }
  return 0;
}

uint64_t chain_of(uint32_t number) { return __atomic_load_n(&g_chains[number], __ATOMIC_RELAXED); }

uint32_t context_count() {
  uint32_t next = __atomic_load_n(&g_next, __ATOMIC_RELAXED);
  return next < kMaxContexts ? next : kMaxContexts;
}

void append_contexts_again() {
  for (uint32_t number = 1; number < context_count(); ++number)
    append_context(number, g_chains[number]);
}

} // namespace culprit::monitor
