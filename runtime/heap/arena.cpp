// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See arena.h.
#include "runtime/heap/arena.h"

#include "runtime/access/tags.h"
#include "runtime/heap/large.h"
#include "runtime/heap/span.h"
#include "runtime/locate/flavour.h"
#include "runtime/locate/shadow.h"

namespace culprit::heap {

Arena g_arena;

namespace {

os::Lock g_lock;
os::Range g_small;
os::Range g_page_table;
os::Range g_live;
uint32_t g_next_page =
    1; // the only datum here that is not valid as zero, and it is constant-initialised
uint32_t g_next_number; // in units of kNumberUnit
bool g_failed;

constexpr size_t kTableStep = size_t{64} * 1024;

// In flavours that look something up at each access, a heap of some size is on huge pages: it has
// three times as much memory as the program alone (locate), or every access is one to the tags, too
// (access sets), and would miss in the processor's page tables all the time.
constexpr size_t kHugeFrom = size_t{4} << 20;
constexpr size_t kHugePage = size_t{2} << 20;

bool has_feature(unsigned features) { return &__culprit_features && __culprit_features & features; }

// The tags of blocks lie as close together as the blocks, an eighth of their size: what there is of
// them is in one huge page mostly.
void put_tags_on_huge_pages() {
  auto *tags = reinterpret_cast<char *>(access::tags_of(g_arena.base));
  os::use_huge_pages(tags, g_arena.size / access::kGranule * sizeof(access::Tag));
  size_t used = g_small.usable / access::kGranule * sizeof(access::Tag);
  os::make_huge(tags, (used + kHugePage - 1) & ~(kHugePage - 1));
}

// How much of the small half shall be usable, if `end` has to be: whole huge pages from then on.
size_t on_huge_pages(size_t end, size_t step) {
  static bool advised;
  if (!advised) {
    advised = true;
    os::use_huge_pages(g_small.start, g_small.reserved);
    os::make_huge(g_small.start, g_small.usable & ~(kHugePage - 1));
    if (has_feature(CULPRIT_FEATURE_ACCESS))
      put_tags_on_huge_pages();
  }
  size_t target = end > g_small.usable + step ? end : g_small.usable + step;
  target = (target + kHugePage - 1) & ~(kHugePage - 1);
  return target <= g_small.reserved ? target : end;
}

bool create() {
  uintptr_t preferred = locate::is_locate() ? locate::kArenaBase : kPreferredBase;
  for (size_t size = kArenaSize; size >= kSmallestArena; size /= 2) {
    char *start = os::reserve(preferred, size);
    if (!start)
      continue;
    // The kernel aligns to 4 KiB only when it chooses itself: waste one page to align to ours.
    auto base = (reinterpret_cast<uintptr_t>(start) + kPageSize - 1) & ~(kPageSize - 1);
    size_t pages = (size - (base - reinterpret_cast<uintptr_t>(start))) >> kPageShift;
    size_t small_pages = pages / 2;
    g_small = {reinterpret_cast<char *>(base), small_pages << kPageShift, 0};
    size_t table_bytes = pages * sizeof(uint64_t);
    // The page table is readable as a whole (zero pages of the kernel until written): any address
    // may be asked about, and 128 MiB is little enough to be accounted for.
    g_arena.free_marks = reinterpret_cast<uint8_t *>(os::map_sparse(0, pages));
    if (g_arena.free_marks && g_page_table.create(0, table_bytes) &&
        g_page_table.grow(table_bytes, 0) && g_live.create(0, small_pages * kSlotsPerPage) &&
        create_span_table(small_pages) &&
        create_large(g_small.start + g_small.reserved, static_cast<uint32_t>(small_pages),
                     static_cast<uint32_t>(pages))) {
      g_arena.page_table = reinterpret_cast<uint64_t *>(g_page_table.start);
      g_arena.live = reinterpret_cast<uint8_t *>(g_live.start);
      g_arena.large_base = base + (small_pages << kPageShift);
      __atomic_store_n(&g_arena.base, base, __ATOMIC_RELEASE);
      g_arena.freed_fast = pages << kPageShift;
      __atomic_store_n(&g_arena.size, pages << kPageShift, __ATOMIC_RELEASE);
      return true;
    }
    if (g_arena.free_marks)
      os::release(reinterpret_cast<char *>(g_arena.free_marks), pages);
    g_page_table.destroy();
    g_live.destroy();
    destroy_span_table();
    destroy_large();
    os::release(start, size);
  }
  return false;
}

} // namespace

bool ensure_arena() {
  if (__atomic_load_n(&g_arena.size, __ATOMIC_ACQUIRE))
    return true;
  os::Hold hold(g_lock);
  if (g_arena.size)
    return true;
  if (!g_failed)
    g_failed = !create();
  return !g_failed;
}

uint32_t take_small_pages(unsigned size_class, uint32_t pages) {
  os::Hold hold(g_lock);
  uint32_t first = g_next_page;
  // One number more than slots: free() looks at the byte of the slot that the unused rest of a span
  // would be, before it knows that there is none.
  uint32_t units = kClasses.of[size_class].slots / kNumberUnit + 1;
  size_t end = static_cast<size_t>(first + pages) << kPageShift;
  // Small steps, so that an overrun at the end of a small heap faults; a heap of size n pays 32
  // calls per doubling.
  size_t step = g_small.usable / 32 & ~(kPageSize - 1);
  if (step > (size_t{4} << 20))
    step = size_t{4} << 20;
  if (end > g_small.usable && g_small.usable >= kHugeFrom &&
      has_feature(CULPRIT_FEATURE_LOCATE | CULPRIT_FEATURE_ACCESS))
    end = on_huge_pages(end, step);
  if (!g_small.grow(end, step) || !g_live.grow((g_next_number + units) * kNumberUnit, kTableStep))
    return 0;
  for (uint32_t i = 0; i < pages; ++i)
    __atomic_store_n(&g_arena.page_table[first + i], page_entry(size_class, i, g_next_number),
                     __ATOMIC_RELAXED);
  __atomic_store_n(&g_next_page, first + pages, __ATOMIC_RELEASE);
  g_next_number += units;
  return first;
}

void enter_large(uint32_t first_page, uint32_t from_page, uint32_t end_page) {
  for (uint32_t page = from_page; page < end_page; ++page)
    __atomic_store_n(&g_arena.page_table[page], page_entry(kLargeClass, page - first_page, 0),
                     __ATOMIC_RELAXED);
}

uint32_t small_frontier() { return __atomic_load_n(&g_next_page, __ATOMIC_ACQUIRE); }

ArenaBytes arena_bytes() { return {g_small.usable, g_live.usable}; }

void lock_arena() { g_lock.acquire(); }
void unlock_arena() { g_lock.release(); }
void reset_arena_lock() { g_lock.reset(); }

} // namespace culprit::heap
