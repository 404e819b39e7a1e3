// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heap blocks in a locate flavour. A block of the heap (heap/) is laid out as
//     lead … 16 guard bytes | what was asked for | 16 guard bytes at least … rest
// and everything known about it is kept in a row of a table beside the heap, which no overflow
// reaches: rows by the heap's object numbers, those of large blocks by their first page.
//   - its cells get the id of the allocation (__culprit_allocation_id, 0 for unseen code), guard
//     cells 0; its bytes a pattern that as a pointer faults, unless calloc asked for zeros;
//   - a freed block's cells get the id of the free, its bytes another such pattern, and it waits in
//     the quarantine (quarantine.h) before the heap may use it again;
//   - guards are compared when it is freed or resized and at exit, a freed block's bytes when it
//     leaves the quarantine and at exit. A difference in a cell that is corrupt is known: it is
//     repaired. Any other is a crash.
//   - a block above 1 MiB is neither stamped nor filled; freed, its pages are out of bounds.
// The heap never gets to see a pointer of the target's: payloads start behind their block, so the
// fast path of free() cannot take them, and the live byte of a block of ours is kLive.
#pragma once

#include "runtime/locate/shadow.h"

namespace culprit::locate {

enum class BlockState : uint8_t { never, live, freed, reusable };

struct Block {
  uintptr_t payload; // what the target got
  size_t size;       // as asked for
  uintptr_t start;   // of the heap's block
  size_t length;
  Id allocated;
  Id freed;
  Id freed_leaf;
  uint64_t next : 56; // in the quarantine: row number + 1
  BlockState state : 8;
};
static_assert(sizeof(Block) == 64);

constexpr size_t kLargestStamped = size_t{1} << 20;

// Sizes and alignments are checked against heap::kLargestRequest. Null: memory is out.
void *allocate(size_t size, size_t alignment, bool zeroed);
void *resize(void *address, size_t size); // address not null, size not 0
void release(void *address);              // null is fine
size_t usable_size(void *address);        // 0: no live block

// The block these bytes lie in or beside, alive or not; null: none. Takes no lock.
const Block *block_near(uintptr_t address);

bool create_blocks();
void check_blocks_at_exit();
void lock_blocks();
void unlock_blocks();
void reset_blocks_lock();

} // namespace culprit::locate
