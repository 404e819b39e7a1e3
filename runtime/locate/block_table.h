// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of blocks: see blocks.h. A row's number is that of the heap's object; of large blocks,
// behind all of these, that of their first page.
#pragma once

#include "runtime/heap/object.h"
#include "runtime/heap/span.h"
#include "runtime/locate/blocks.h"

namespace culprit::locate {

bool create_block_table();
uint64_t small_rows(); // how many there may be

extern BlockRow *g_small; // by object number
extern BlockRow *g_large; // by page

// These are inline, so that a block's description is never in memory.
inline Block large_at(uint32_t first) {
  BlockRow &row = g_large[first];
  auto start = reinterpret_cast<uintptr_t>(heap::page_address(first));
  uintptr_t payload = start + (row.lead ? uintptr_t{1} << row.lead : 0);
  uintptr_t end = start + (uintptr_t{heap::large_pages(first)} << heap::kPageShift);
  return {&row, payload, start, end, 0, heap::kLargeClass};
}

inline Block small_block(BlockRow *row, uintptr_t start, size_t slot, unsigned size_class) {
  return {row,
          start,
          start,
          start + heap::kClasses.of[size_class].size,
          static_cast<uint16_t>(slot),
          static_cast<uint8_t>(size_class)};
}

inline Block small_at(uint32_t first, uint64_t entry, size_t slot) {
  unsigned size_class = heap::entry_class(entry);
  uintptr_t span = reinterpret_cast<uintptr_t>(heap::page_address(first));
  return small_block(&g_small[heap::entry_number(entry) + slot],
                     span + slot * heap::kClasses.of[size_class].size, slot, size_class);
}

// The small block that the heap has taken.
inline Block small_of(heap::Entry entry, unsigned size_class) {
  uintptr_t start = heap::entry_start(entry);
  size_t slot = heap::entry_slot(entry);
  return small_block(&g_small[heap::entry_number(heap::entry_of(start)) + slot], start, slot,
                     size_class);
}

inline uint64_t entry_of_page(uint32_t page) {
  return __atomic_load_n(&heap::g_arena.page_table[page], __ATOMIC_RELAXED);
}

// What the page table says of an address of the heap.
struct Spot {
  uintptr_t address;
  uint32_t first; // page of the span, or of the large block
  uint64_t entry;
};

inline Spot spot_of(uintptr_t address) {
  auto page = static_cast<uint32_t>((address - heap::g_arena.base) >> heap::kPageShift);
  uint64_t entry = entry_of_page(page);
  return {address, page - heap::entry_back(entry), entry};
}

inline size_t slot_of(const Spot &spot) {
  uintptr_t in_span = spot.address - reinterpret_cast<uintptr_t>(heap::page_address(spot.first));
  return heap::slot_of(heap::entry_class(spot.entry), in_span);
}

inline Block block_at(const Spot &spot) {
  if (heap::entry_class(spot.entry) == heap::kLargeClass) [[unlikely]]
    return large_at(spot.first);
  return small_at(spot.first, spot.entry, slot_of(spot));
}

// The block of the heap's block around this address, before it began or after; the address is in
// one.
inline Block known_place(uintptr_t address) { return block_at(spot_of(address)); }

// The same; no row: it is in none.
inline Block place_of(uintptr_t address) {
  if (!g_large || address - heap::g_arena.base >= heap::g_arena.size)
    return {};
  Spot spot = spot_of(address);
  unsigned size_class = heap::entry_class(spot.entry);
  if (!size_class)
    return {};
  if (size_class != heap::kLargeClass && slot_of(spot) >= heap::kClasses.of[size_class].slots)
    return {}; // the unused rest of a span
  return block_at(spot);
}

// The same, if there is or was one of ours.
inline Block find_block(uintptr_t address) {
  Block block = place_of(address);
  if (block.row && block.row->state == BlockState::never)
    block.row = nullptr;
  return block;
}

inline bool is_large(const Block &block) { return block.size_class == heap::kLargeClass; }
inline bool is_last_of_span(const Block &block) {
  return block.slot + 1 == heap::kClasses.of[block.size_class].slots;
}
// Alive or in the quarantine: what lies beside it is to be left alone.
inline bool is_guarded(const Block &block) {
  return block.row->state == BlockState::live || block.row->state == BlockState::freed;
}

// Of a small block: its neighbours in the span, which it must have.
inline Block block_before(const Block &block) {
  uintptr_t start = block.start - (block.end - block.start);
  return small_block(block.row - 1, start, block.slot - 1u, block.size_class);
}
inline Block block_behind(const Block &block) {
  return small_block(block.row + 1, block.end, block.slot + 1u, block.size_class);
}

void visit_small_blocks(void (*visit)(const Block &block, void *data), void *data);
void visit_large_blocks(void (*visit)(const Block &block, void *data), void *data);

// Every block that is alive or in the quarantine, small ones first, in order of address.
template <typename Visitor> void for_each_block(Visitor visitor) {
  auto visit = [](const Block &block, void *data) { (*static_cast<Visitor *>(data))(block); };
  visit_small_blocks(visit, &visitor);
  visit_large_blocks(visit, &visitor);
}

} // namespace culprit::locate
