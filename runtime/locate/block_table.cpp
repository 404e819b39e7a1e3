// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See block_table.h.
#include "runtime/locate/block_table.h"

namespace culprit::locate {
namespace {

constexpr uint64_t kSearchBack = 64; // slots: how far from a block an access is still beside it

BlockRow *g_small; // by object number
BlockRow *g_large; // by page

uint32_t page_of(uintptr_t address) {
  return static_cast<uint32_t>((address - heap::g_arena.base) >> heap::kPageShift);
}

uint64_t entry_of_page(uint32_t page) {
  return __atomic_load_n(&heap::g_arena.page_table[page], __ATOMIC_RELAXED);
}

Block large_at(uint32_t first) {
  BlockRow &row = g_large[first];
  auto start = reinterpret_cast<uintptr_t>(heap::page_address(first));
  uintptr_t payload = start + (row.lead ? uintptr_t{1} << row.lead : 0);
  uintptr_t end = start + (uintptr_t{heap::large_pages(first)} << heap::kPageShift);
  return {&row, payload, start, end, true, true};
}

Block small_at(uint32_t first, uint64_t entry, size_t slot) {
  const heap::SizeClass &kind = heap::kClasses.of[heap::entry_class(entry)];
  if (slot >= kind.slots)
    return {}; // the unused rest of a span
  uintptr_t start = reinterpret_cast<uintptr_t>(heap::page_address(first)) + slot * kind.size;
  return {&g_small[heap::entry_number(entry) + slot],
          start,
          start,
          start + kind.size,
          slot == 0,
          slot + 1 == kind.slots};
}

} // namespace

bool create_block_table() {
  uint64_t pages = heap::g_arena.size >> heap::kPageShift;
  uint64_t numbers = pages / 2 * (heap::kSlotsPerPage + heap::kNumberUnit);
  if (!os::map_table(g_small, numbers) || !os::map_table(g_large, pages))
    return false;
  os::use_huge_pages(reinterpret_cast<char *>(g_small), numbers * sizeof(BlockRow));
  return true;
}

Block place_of(uintptr_t address) {
  if (!g_large || address - heap::g_arena.base >= heap::g_arena.size)
    return {};
  uint32_t page = page_of(address);
  uint64_t entry = entry_of_page(page);
  unsigned size_class = heap::entry_class(entry);
  uint32_t first = page - heap::entry_back(entry);
  if (!size_class)
    return {};
  if (size_class == heap::kLargeClass)
    return large_at(first);
  uintptr_t in_span = address - reinterpret_cast<uintptr_t>(heap::page_address(first));
  return small_at(first, entry, heap::slot_of(size_class, in_span));
}

Block find_block(uintptr_t address) {
  Block block = place_of(address);
  return block.row && block.row->state != BlockState::never ? block : Block{};
}

Block block_near(uintptr_t address) {
  Block place = place_of(address);
  if (!place.row || place.row->state != BlockState::never || place.start == place.end)
    return place.row && place.row->state != BlockState::never ? place : Block{};
  size_t length = place.end - place.start;
  for (uint64_t back = 1; back <= kSearchBack; ++back) {
    Block block = find_block(place.start - back * length);
    if (block.row)
      return block.end - block.start == length ? block : Block{};
  }
  return {};
}

uint8_t &live_byte(const Block &block) { return heap::g_arena.live[block.row - g_small]; }

void visit_small_blocks(void (*visit)(const Block &block, void *data), void *data) {
  for (uint32_t page = 1; page < heap::small_frontier();) {
    uint64_t entry = entry_of_page(page);
    const heap::SizeClass &kind = heap::kClasses.of[heap::entry_class(entry)];
    for (size_t slot = 0; slot < kind.slots; ++slot)
      if (Block block = small_at(page, entry, slot); is_guarded(block))
        visit(block, data);
    page += kind.span_pages ? kind.span_pages : 1;
  }
}

void visit_large_blocks(void (*visit)(const Block &block, void *data), void *data) {
  for (uint32_t page = heap::large_first(); page < heap::large_frontier(); ++page)
    if (Block block = large_at(page); is_guarded(block))
      visit(block, data);
}

} // namespace culprit::locate
