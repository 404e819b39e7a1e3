// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See block_table.h.
#include "runtime/locate/block_table.h"

namespace culprit::locate {

Block *g_blocks;
uint64_t g_first_large;
uint64_t g_rows_end;

namespace {

constexpr uint64_t kSearchBack = 64; // slots: how far from a block an access is still beside it

Block *find_large(uint32_t page, uint32_t back) {
  Block &block = g_blocks[g_first_large + (page - back)];
  return block.state == BlockState::never ? nullptr : &block;
}

} // namespace

bool create_block_table() {
  uint64_t pages = heap::g_arena.size >> heap::kPageShift;
  // The smallest block of ours has two granules.
  g_first_large = pages / 2 * (heap::kSlotsPerPage / 2 + heap::kNumberUnit);
  return os::map_table(g_blocks, g_first_large + pages);
}

Block *find_block(uintptr_t address) {
  uintptr_t offset = address - heap::g_arena.base;
  if (!g_blocks || offset >= heap::g_arena.size)
    return nullptr;
  auto page = static_cast<uint32_t>(offset >> heap::kPageShift);
  uint64_t entry = __atomic_load_n(&heap::g_arena.page_table[page], __ATOMIC_RELAXED);
  unsigned size_class = heap::entry_class(entry);
  if (!size_class)
    return nullptr;
  if (size_class == heap::kLargeClass)
    return find_large(page, heap::entry_back(entry));
  uintptr_t in_span =
      (offset & (heap::kPageSize - 1)) + (uintptr_t{heap::entry_back(entry)} << heap::kPageShift);
  size_t slot = heap::slot_of(size_class, in_span);
  if (slot >= heap::kClasses.of[size_class].slots)
    return nullptr;
  Block &block = g_blocks[heap::entry_number(entry) + slot];
  return block.state == BlockState::never ? nullptr : &block;
}

const Block *block_near(uintptr_t address) {
  if (const Block *block = find_block(address))
    return block;
  heap::Object object = heap::find_object(reinterpret_cast<const void *>(address));
  if (!object.start || object.size_class == heap::kLargeClass)
    return nullptr;
  for (uint64_t back = 1; back <= kSearchBack; ++back)
    if (const Block *block = find_block(object.start - back * object.size))
      return block->length == object.size ? block : nullptr;
  return nullptr;
}

} // namespace culprit::locate
