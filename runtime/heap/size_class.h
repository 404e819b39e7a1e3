// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Size classes: the rounded sizes blocks come in, and what follows from each.
//
// 16-byte steps to 256, 8 steps per doubling to 1 KiB, 4 per doubling to 128 KiB. Rounding up
// wastes at most 12.5 % below 1 KiB and 25 % above; 8 steps throughout gained 2 % memory and
// doubled the number of pages a small program touches. Every size is a multiple of 16, so a
// position within a span counts in granules of 16 bytes, and slot = granule * reciprocal >> 31 is
// exact: granule < 2^15 and size/16 <= 2^13 (tested for all). A span is the run of arena pages that
// holds one class: 64 KiB, or more where fewer than 8 blocks would fit. Class 0 is "no class": a
// page table of zeroes is valid and says that no page is in use.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::heap {

constexpr size_t kGranule = 16;
constexpr unsigned kPageShift = 16;
constexpr size_t kPageSize = size_t{1} << kPageShift; // arena page, not the kernel's
constexpr size_t kSlotsPerPage = kPageSize / kGranule;
constexpr size_t kLargestSmall = 128 * 1024; // above: whole pages, see large.h
constexpr unsigned kClassCount = 61;         // class numbers 1..60
constexpr unsigned kLargeClass = 61;
constexpr size_t kTableLimit = 16 * 1024; // sizes up to here find their class by table

struct SizeClass {
  uint32_t size;
  uint32_t reciprocal; // ceil(2^31 / (size / 16)); 0 for large blocks: their slot is always 0
  uint16_t span_pages;
  uint16_t slots;      // blocks per span
  uint16_t cache_max;  // blocks a thread keeps to itself
  uint16_t batch;      // blocks moved at once between a thread and the heap
  uint32_t cache_from; // where the class's entries start in a thread's cache
  uint32_t padding;
};

struct ClassTable {
  SizeClass of[kLargeClass + 1];
  uint8_t from_granules[kTableLimit / kGranule + 1];
  uint32_t cache_entries;
};

consteval ClassTable make_class_table() {
  ClassTable table{};
  uint32_t size = 0;
  for (unsigned number = 1; number < kClassCount; ++number) {
    uint32_t step = 16;
    for (uint32_t bound = 256; size >= bound && bound < 1024; bound *= 2)
      step = bound / 8;
    for (uint32_t bound = 1024; size >= bound; bound *= 2)
      step = bound / 4;
    size += step;
    SizeClass &entry = table.of[number];
    entry.size = size;
    uint64_t granules = size / kGranule;
    entry.reciprocal = static_cast<uint32_t>(((uint64_t{1} << 31) + granules - 1) / granules);
    entry.span_pages = size <= 8 * 1024 ? 1 : size <= 32 * 1024 ? 4 : 8;
    entry.slots = static_cast<uint16_t>(entry.span_pages * kPageSize / size);
    uint32_t fit = (size <= 1024 ? 64 : 32) * 1024 / size;
    entry.cache_max = static_cast<uint16_t>(fit > 256 ? 256 : fit < 2 ? 2 : fit);
    entry.batch = static_cast<uint16_t>(entry.cache_max / 2);
    entry.cache_from = table.cache_entries;
    table.cache_entries += entry.cache_max;
  }
  table.of[kLargeClass].span_pages = 1;
  table.of[kLargeClass].slots = 1;
  unsigned number = 1;
  for (size_t granules = 0; granules <= kTableLimit / kGranule; ++granules) {
    while (table.of[number].size < granules * kGranule)
      ++number;
    table.from_granules[granules] = static_cast<uint8_t>(number);
  }
  return table;
}

inline constexpr ClassTable kClasses = make_class_table();
static_assert(kClasses.of[kClassCount - 1].size == kLargestSmall);

inline size_t slot_of(unsigned number, size_t offset_in_span) {
  return (offset_in_span / kGranule * kClasses.of[number].reciprocal) >> 31;
}

// For sizes up to kTableLimit.
inline unsigned class_by_table(size_t size) {
  return kClasses.from_granules[(size + kGranule - 1) / kGranule];
}

// For sizes up to kLargestSmall.
inline unsigned class_of_size(size_t size) {
  if (size <= kTableLimit)
    return class_by_table(size);
  unsigned number = kClasses.from_granules[kTableLimit / kGranule];
  while (kClasses.of[number].size < size) // at most 12 steps
    ++number;
  return number;
}

} // namespace culprit::heap
