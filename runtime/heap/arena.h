// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arena: the one reserved address range all blocks of the target live in, and the tables beside
// it.
//
//   [ small half: spans of size classes, growing up | large half: whole pages, growing up ]
//
// The arena is cut into pages of 64 KiB. Outside it lie, each reserved in bulk and usable as far as
// needed:
//   page table   one word per page: class in the low 8 bits, above them the distance in pages to
//   the first page
//                of the span or large block. A shift and a load, interior pointers included.
//   live bytes   one byte per slot of the small half: 1 while an object lives there. Byte, not bit:
//   neighbours
//                belong to different threads, and a plain store needs no bus lock.
//   spans        bookkeeping of each span (span.h), of each large block (large.h).
// Object number = page of the block's first byte * 4096 + slot. It is dense and stable, so later
// side tables (allocation context, index node, generation) are arrays indexed by it, as live bytes
// are.
//
// Rules. A page that got a class keeps it for ever, freed or not: a stale pointer still names a
// block of the same size. Pages of large blocks stay with large blocks. Nothing is stored in a free
// block: a write through a stale pointer damages data of the target, never the heap. Same calls,
// same addresses: the range starts at a fixed address, nothing depends on time or on addresses
// outside. Room is left for a guard word behind each block (a larger class is chosen, here nothing
// changes), for quarantine (between free and the thread cache) and fill.
#pragma once

#include "runtime/heap/size_class.h"
#include "runtime/os/lock.h"
#include "runtime/os/memory.h"

namespace culprit::heap {

constexpr uintptr_t kPreferredBase =
    0x200000000000; // clear of PIE, mmap area and sanitizer shadows
constexpr size_t kArenaSize = size_t{1} << 40;
constexpr size_t kSmallestArena = size_t{64}
                                  << 20; // under an address-space limit we halve down to this

// What the fast paths read, in one cache line. `base` is zero until the arena exists, and then size
// is too.
struct alignas(64) Arena {
  uintptr_t base;
  size_t size;
  uint32_t *page_table;
  uint8_t *live; // biased: the live byte of object number n of page address a is live[(a >> 4 &
                 // ~4095) + slot]
  uintptr_t large_base;
};

extern Arena g_arena;

inline bool in_arena(const void *address) {
  return reinterpret_cast<uintptr_t>(address) - g_arena.base < g_arena.size;
}

// The live byte of the block that starts at `start` and is slot number `slot` of its span.
inline uint8_t &live_byte(uintptr_t start, size_t slot) {
  return g_arena.live[(start >> 4 & ~(kSlotsPerPage - 1)) + slot];
}

constexpr uint32_t page_entry(unsigned size_class, uint32_t pages_back) {
  return size_class | pages_back << 8;
}
inline unsigned entry_class(uint32_t entry) { return entry & 0xff; }
inline uint32_t entry_back(uint32_t entry) { return entry >> 8; }

// Creates the arena on first use; false if the kernel gives no address space.
bool ensure_arena();

// The next `pages` fresh (zeroed, usable) pages of the small half, entered into the page table;
// page number, or 0 when the half is full. (Page 0 is never handed out, so that 0 can mean none.)
uint32_t take_small_pages(unsigned size_class, uint32_t pages);

// Enters the pages [from_page, end_page) of the large block that starts at first_page into the page
// table.
void enter_large(uint32_t first_page, uint32_t from_page, uint32_t end_page);

inline char *page_address(uint32_t page) {
  return reinterpret_cast<char *>(g_arena.base + (static_cast<uintptr_t>(page) << kPageShift));
}

struct ArenaBytes {
  size_t small_usable;
  size_t live_usable;
};
ArenaBytes arena_bytes();

void lock_arena();
void unlock_arena();
void reset_arena_lock();

} // namespace culprit::heap
