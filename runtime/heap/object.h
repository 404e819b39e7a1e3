// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Address → object, for every byte of every block, in constant time: page table, then slot by
// reciprocal. Any address may be asked about, the target's wildest pointer included; nothing is
// locked. A block of another thread may of course be freed while its answer is being read.
#pragma once

#include "runtime/heap/large.h"

namespace culprit::heap {

constexpr uint64_t kLargeNumbers = uint64_t{1} << 40; // numbers of large blocks start here

struct Object {
  uintptr_t start; // 0: the address is in no block
  size_t size;     // of the block: at least what was asked for
  uint64_t number; // see arena.h; of large blocks: kLargeNumbers + first page
  unsigned size_class;
  bool live;
};

inline Object find_object(const void *address) {
  uintptr_t offset = reinterpret_cast<uintptr_t>(address) - g_arena.base;
  if (offset >= g_arena.size)
    return {};
  auto page = static_cast<uint32_t>(offset >> kPageShift);
  uint64_t entry = __atomic_load_n(&g_arena.page_table[page], __ATOMIC_RELAXED);
  unsigned size_class = entry_class(entry);
  if (!size_class)
    return {};
  uint32_t first = page - entry_back(entry);
  uintptr_t span = g_arena.base + (static_cast<uintptr_t>(first) << kPageShift);
  if (size_class == kLargeClass) {
    uint32_t pages = large_pages(first);
    if (page - first >= pages)
      return {}; // freed; the entry is what the last block left behind
    return {span, static_cast<size_t>(pages) << kPageShift, kLargeNumbers + first, size_class,
            true};
  }
  size_t size = kClasses.of[size_class].size;
  size_t slot = slot_of(size_class, g_arena.base + offset - span);
  if (slot >= kClasses.of[size_class].slots)
    return {}; // the unused rest of a span
  uintptr_t start = span + slot * size;
  uint64_t number = entry_number(entry) + slot;
  return {start, size, number, size_class,
          __atomic_load_n(&g_arena.live[number], __ATOMIC_RELAXED) == 1};
}

} // namespace culprit::heap
