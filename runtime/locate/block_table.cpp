// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See block_table.h.
#include "runtime/locate/block_table.h"

namespace culprit::locate {
namespace {

constexpr uint64_t kSearchBack = 64; // slots: how far from a block an access is still beside it

} // namespace

BlockRow *g_small;
BlockRow *g_large;

uint64_t small_rows() {
  uint64_t pages = heap::g_arena.size >> heap::kPageShift;
  return pages / 2 * (heap::kSlotsPerPage + heap::kNumberUnit);
}

bool create_block_table() {
  uint64_t pages = heap::g_arena.size >> heap::kPageShift;
  uint64_t numbers = small_rows();
  if (!os::map_table(g_small, numbers) || !os::map_table(g_large, pages))
    return false;
  os::use_huge_pages(reinterpret_cast<char *>(g_small), numbers * sizeof(BlockRow));
  return true;
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
