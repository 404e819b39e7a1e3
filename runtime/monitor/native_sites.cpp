// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See native_sites.h.
#include "runtime/monitor/native_sites.h"

#include "runtime/monitor/contexts.h"
#include "runtime/os/memory.h"
#include "runtime/run_file/writer.h"

namespace culprit::monitor {
namespace {

struct Entry {
  uintptr_t address; // 0: nobody's yet
  uint32_t site;
  uint32_t context;
};

// Twice as many as there may be sites: some place near the first is free.
constexpr size_t kEntries = size_t{1} << (CULPRIT_CONTEXT_SHIFT + 1);
constexpr size_t kProbes = 64;
Entry *g_entries;
uint32_t g_next = 1;

void append_site(uint32_t number, uintptr_t address) {
  culprit_record_native_site record{number, 0, address};
  run_file::Part part{&record, sizeof record};
  run_file::append(CULPRIT_RECORD_native_site, &part, 1);
}

size_t place_of(uintptr_t address) {
  return (address * 0x9e3779b97f4a7c15) >> (64 - CULPRIT_CONTEXT_SHIFT - 1);
}

uint32_t take_number() {
  uint32_t number = __atomic_fetch_add(&g_next, 1, __ATOMIC_RELAXED);
  if (number <= CULPRIT_LARGEST_SITE)
    return number;
  __atomic_store_n(&g_next, CULPRIT_LARGEST_SITE + 1, __ATOMIC_RELAXED);
  return 0;
}

} // namespace

bool create_native_sites() { return os::map_table(g_entries, kEntries + kProbes); }

// Two threads that meet a call first at the same moment give it two numbers: readers of run files
// add up by address.
uint32_t native_context(uintptr_t return_address) {
  Entry *first = &g_entries[place_of(return_address)];
  for (Entry *entry = first; entry < first + kProbes; ++entry) {
    uintptr_t found = __atomic_load_n(&entry->address, __ATOMIC_ACQUIRE);
    if (found == return_address) [[likely]]
      return entry->context;
    uint32_t nobody = 0;
    if (found || __atomic_load_n(&entry->site, __ATOMIC_RELAXED))
      continue;
    uint32_t number = take_number();
    if (!number)
      return 0;
    append_site(number, return_address);
    uint32_t context = find_context(number);
    if (__atomic_compare_exchange_n(&entry->site, &nobody, number, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      entry->context = context;
      __atomic_store_n(&entry->address, return_address, __ATOMIC_RELEASE);
    }
    return context;
  }
  return 0;
}

void append_native_sites_again() {
  for (size_t i = 0; i < kEntries + kProbes; ++i)
    if (uintptr_t address = __atomic_load_n(&g_entries[i].address, __ATOMIC_ACQUIRE))
      append_site(g_entries[i].site, address);
}

} // namespace culprit::monitor
