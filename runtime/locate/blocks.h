// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heap blocks in a locate flavour. A block of the heap (heap/) is laid out as
//     what was asked for | 8 guard bytes at least, the last 8 bytes of the block among them
// and what is known about it is kept in a row of a table beside the heap, which no overflow
// reaches. The last bytes of the block before are the guard in front: so the first block of a span
// is never handed out. Large blocks have a guard in front of their own.
//   - its cells get the id of the allocation (__culprit_allocation_id, 0 for unseen code), guard
//     cells 0; its bytes a pattern that as a pointer faults, unless calloc asked for zeros;
//   - a freed block's cells get the id of the free, its bytes another such pattern, and it waits in
//     the quarantine (quarantine.h) before the heap may use it again;
//   - guards are compared when it is freed or resized and at exit, a freed block's bytes when it
//     leaves the quarantine and at exit. A difference in a cell that is corrupt is known: it is
//     repaired. Any other is a crash.
//   - a block above 1 MiB is neither stamped nor filled; freed, its pages are out of bounds.
// The heap's live bytes say nothing about blocks of ours, and the fast paths of malloc and free
// take none.
#pragma once

#include "runtime/locate/shadow.h"

namespace culprit::locate {

enum class BlockState : uint8_t { never, live, freed, reusable };

// All that is kept of a block.
struct BlockRow {
  Id allocated;
  Id freed;
  Id freed_leaf; // of the pointer that was freed
  uint64_t size : 40;
  uint64_t turn : 16; // of small blocks: how often it left the quarantine out of turn
  uint64_t lead : 6;  // of large blocks: logarithm of what lies in front; 0: nothing
  BlockState state : 2;
};
static_assert(sizeof(BlockRow) == 32);

struct Block {
  BlockRow *row;     // null: there is no block
  uintptr_t payload; // what the target got
  uintptr_t start;   // of the heap's block
  uintptr_t end;
  uint16_t slot;      // in its span
  uint8_t size_class; // the heap's

  uintptr_t behind() const { return payload + row->size; } // what was asked for
};

constexpr size_t kLargestStamped = size_t{1} << 20;

// Sizes and alignments are checked against heap::kLargestRequest. Null: memory is out.
void *allocate(size_t size, size_t alignment, bool zeroed);
void *resize(void *address, size_t size); // address not null, size not 0
void release(void *address);              // null is fine
size_t usable_size(void *address);        // 0: no live block

// The block this byte lies in or beside, alive or not. Takes no lock.
Block block_near(uintptr_t address);

bool create_blocks();
// The first of what was written beside a block or into a freed one and not noticed yet. Nothing, if
// an allocation is under way.
struct Unnoticed {
  culprit_crash_kind kind;
  uintptr_t address; // 0: nothing
  Id written;
  uintptr_t block; // an address in it
};
Unnoticed find_unnoticed();
void check_blocks_at_exit();
void lock_blocks();
void unlock_blocks();
void reset_blocks_lock();

} // namespace culprit::locate
