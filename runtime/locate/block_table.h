// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of blocks: see blocks.h. A row's number is that of the heap's object; of large blocks,
// behind all of these, that of their first page.
#pragma once

#include "runtime/heap/object.h"
#include "runtime/locate/blocks.h"

namespace culprit::locate {

bool create_block_table();

// The block of the heap's block around this address, or what was the last one there.
Block find_block(uintptr_t address);
// The same before it began: its row is never null, if the address is in a block of the heap.
Block place_of(uintptr_t address);

inline bool is_large(const Block &block) { return block.row->lead != 0; }
// Alive or in the quarantine: what lies beside it is to be left alone.
inline bool is_guarded(const Block &block) {
  return block.row->state == BlockState::live || block.row->state == BlockState::freed;
}

// Of a small block: its neighbours in the span, which it must have.
inline Block block_before(const Block &block) {
  uintptr_t start = block.start - (block.end - block.start);
  return {block.row - 1, start, start, block.start, false, false};
}
inline Block block_behind(const Block &block) {
  return {block.row + 1, block.end, block.end, block.end + (block.end - block.start), false, false};
}

uint8_t &live_byte(const Block &block); // the heap's, of a small block

void visit_small_blocks(void (*visit)(const Block &block, void *data), void *data);
void visit_large_blocks(void (*visit)(const Block &block, void *data), void *data);

// Every block that is alive or in the quarantine, small ones first, in order of address.
template <typename Visitor> void for_each_block(Visitor visitor) {
  auto visit = [](const Block &block, void *data) { (*static_cast<Visitor *>(data))(block); };
  visit_small_blocks(visit, &visitor);
  visit_large_blocks(visit, &visitor);
}

} // namespace culprit::locate
