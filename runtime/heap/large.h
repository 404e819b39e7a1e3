// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large blocks: above 128 KiB, in whole arena pages of the large half, one lock.
// Free ranges merge with their neighbours and wait in bins by length (exact below 32 pages, then 8
// bins per doubling), so a fit is found by a few bit operations. A freed range keeps its memory
// until 64 MiB, or an eighth of what large blocks use, is kept that way; then the longest-waiting
// ranges go back to the kernel. Blocks of 32 MiB and more go back at once. Pages are 64 KiB, but a
// block's untouched tail costs no memory.
#pragma once

#include "runtime/heap/arena.h"

namespace culprit::heap {

struct LargeBlock {
  char *start; // null: none
  bool zeroed;
};

// `alignment` is a power of two; up to kPageSize it costs nothing.
LargeBlock take_large(size_t bytes, size_t alignment);

// What starts at exactly this page; 0 pages if nothing live does.
uint32_t large_pages(uint32_t first_page);

// False if no live large block starts at this page.
bool give_large(uint32_t first_page);

// Grows or shrinks in place; false if it does not fit there. Then pages from `dirty_from` on (an
// arena page) may hold what an earlier block left.
bool resize_large(uint32_t first_page, size_t bytes, uint32_t *dirty_from = nullptr);

// For whoever keeps a list of the live blocks and reads them: the block that take_large() (or, with
// `grown`, resize_large()) gave was not zero, and now is. It could be read before, with what an
// earlier block had left in it: it is born, or resized, once more.
void large_was_zeroed(uint32_t first_page, bool grown);

// The live blocks, in address order, for somebody who keeps a list of them. `birth` differs
// whenever another block begins at the same page, `extent` besides whenever a block was resized,
// and be it back to what it was.
struct LargeLive {
  uint32_t page;
  uint32_t pages;
  uint32_t birth;
  uint32_t extent;
};
// How often the set of live blocks or their extents changed.
uint64_t large_changes();
uint32_t large_first();
uint32_t large_frontier();
// How many there are; ~0 if somebody is changing them at this moment (a signal handler must not
// wait for the code it interrupted).
size_t list_large(LargeLive *out, size_t max);

struct LargeStatistics {
  uint64_t live_bytes;
  uint64_t peak_bytes;
  uint64_t blocks;
  uint64_t kept_bytes; // free, memory not given back
  uint64_t usable_bytes;
};
LargeStatistics large_statistics(); // without the lock, like class_statistics()
bool is_valid_large();

void lock_large();
void unlock_large();
void reset_large_lock();

// The large half: pages [first_page, end_page) of the arena, at `start`.
bool create_large(char *start, uint32_t first_page, uint32_t end_page);
void destroy_large();

} // namespace culprit::heap
