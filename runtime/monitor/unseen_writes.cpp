// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See unseen_writes.h.
#include "runtime/monitor/unseen_writes.h"

#include "runtime/heap/large.h"
#include "runtime/monitor/barrier.h"
#include "runtime/start/options.h"

namespace culprit::monitor {
namespace {

os::WrittenBy g_known_by;

uintptr_t address_of(uint32_t page) {
  return reinterpret_cast<uintptr_t>(heap::page_address(page));
}

void mark(os::WrittenPages pages, void *count) {
  *static_cast<uint64_t *>(count) += (pages.end - pages.start) / os::kOsPage;
  for (uintptr_t page = pages.start; page < pages.end; page += os::kOsPage) {
    if (g_drop_every && ++g_drop_count % g_drop_every == 0) [[unlikely]]
      continue; // verify=2: a fault to be found
    dirty_range(page, os::kOsPage);
  }
}

} // namespace

void watch_unseen_writes() {
  g_known_by =
      os::watch_writes(heap::g_arena.base, heap::g_arena.size, start::options().written_pages);
}

// With threads, what is written between reading soft-dirty bits and clearing them would be lost.
bool mark_unseen_writes(uint64_t &pages) {
  if (g_known_by == os::WrittenBy::soft_dirty && has_threads())
    return false;
  const os::WrittenPages ranges[] = {
      {address_of(1), address_of(heap::small_frontier())},
      {address_of(heap::large_first()), address_of(heap::large_frontier())}};
  return os::take_written(ranges, 2, mark, &pages);
}

os::WrittenBy unseen_writes_known_by() { return g_known_by; }

} // namespace culprit::monitor
