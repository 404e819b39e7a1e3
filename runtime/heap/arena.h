// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arena: the one reserved address range all blocks of the target live in, and the tables beside
// it.
//
//   [ small half: spans of size classes, growing up | large half: whole pages, growing up ]
//
// The arena is cut into pages of 64 KiB. Outside it lie, reserved in bulk, usable as far as needed:
//   page table: one word per page: size class, distance in pages to the first page of the span or
//     large block, number of the span's first object. A shift and a load, interior pointers too.
//   live bytes: one per object number: 1 while an object lives there. Byte, not bit: neighbours
//     belong to different threads, and a plain store needs no bus lock.
//   spans: bookkeeping of each span (span.h), of each large block (large.h).
// Object number = number of the span's first object + slot. Spans get their numbers in the order
// they are made, as many as they have slots, so numbers are dense and stable: later side tables
// (allocation context, index node, generation) are arrays indexed by them, as live bytes are. (Page
// * 4096 + slot needs no word in the table, but cost a page of each side table per arena page: 2.6
// MiB of live bytes beside 11.7 MiB of blocks of some KiB.)
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

// Clear of executables, the kernel's mmap area and the sanitizers' shadows.
constexpr uintptr_t kPreferredBase = 0x200000000000;
constexpr size_t kArenaSize = size_t{1} << 40;
// Under an address-space limit we halve down to this.
constexpr size_t kSmallestArena = size_t{64} << 20;

// What the fast paths read, in one cache line. `base` is zero until the arena exists, and then size
// is too.
struct alignas(64) Arena {
  uintptr_t base;
  size_t size;
  uint64_t *page_table;
  uint8_t *live;
  uintptr_t large_base;
  uint8_t *free_marks; // one per page: a block of it was freed since somebody last cleared the byte
  size_t freed_fast;   // size, or 0: free() is to send every block to the slow path
};

extern Arena g_arena;

inline bool in_arena(const void *address) {
  return reinterpret_cast<uintptr_t>(address) - g_arena.base < g_arena.size;
}

// A word of the page table: class in 8 bits, pages back in 24, first object number / 64 in 32.
constexpr uint64_t page_entry(unsigned size_class, uint32_t pages_back, uint32_t first_number) {
  return size_class | uint64_t{pages_back} << 8 | uint64_t{first_number} << 32;
}
constexpr uint64_t kNumberUnit = 64;
inline unsigned entry_class(uint64_t entry) { return entry & 0xff; }
inline uint32_t entry_back(uint64_t entry) { return static_cast<uint32_t>(entry) >> 8; }
inline uint64_t entry_number(uint64_t entry) { return (entry >> 32) * kNumberUnit; }

inline uint64_t entry_of(uintptr_t address) {
  return g_arena.page_table[(address - g_arena.base) >> kPageShift];
}

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

// Pages of the small half below this one have their final entry in the page table.
uint32_t small_frontier();

struct ArenaBytes {
  size_t small_usable;
  size_t live_usable;
};
ArenaBytes arena_bytes();

void lock_arena();
void unlock_arena();
void reset_arena_lock();

} // namespace culprit::heap
