// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans: what is free within the pages of each size class, shared by all threads, one lock per
// class. Threads come here in batches (thread_cache.h). A span's free blocks are bits of a bitmap
// outside the arena; blocks from `fresh` on were never handed out and need no bit, so their memory
// stays untouched.
// A span that is free as a whole is kept for its class while such spans hold less than an eighth of
// the memory in spans (1 MiB at least); beyond that its memory goes back to the kernel. Keeping
// none made programs that build and drop a structure again and again pay a page fault for every 4
// KiB each time; keeping 16 spans per class held 40 MiB for a program whose strings grow through
// all classes.
#pragma once

#include "runtime/heap/arena.h"

namespace culprit::heap {

enum class SpanPlace : uint8_t { full, partial, empty, purged };

struct Span {
  uint32_t next; // page number of the neighbour in the list named by `place`; 0: none
  uint32_t previous;
  uint16_t fresh;      // slots [fresh, slots) were never handed out
  uint16_t free;       // bits set below
  uint16_t first_word; // no bit is set in a word before this one
  uint8_t size_class;
  SpanPlace place;
  uint64_t bits[kSlotsPerPage / 64];
};
static_assert(sizeof(Span) == 16 + 512);

// A free block as caches hold it: address in the low 48 bits, slot above.
using Entry = uint64_t;
constexpr unsigned kEntrySlotShift = 48;
inline Entry make_entry(uintptr_t start, size_t slot) {
  return start | static_cast<uint64_t>(slot) << kEntrySlotShift;
}
inline uintptr_t entry_start(Entry entry) { return entry << 16 >> 16; }
inline size_t entry_slot(Entry entry) { return entry >> kEntrySlotShift; }
inline void mark_live(Entry entry) {
  __atomic_store_n(&g_arena.live[entry_number(entry_of(entry_start(entry))) + entry_slot(entry)], 1,
                   __ATOMIC_RELAXED);
}

// Up to `wanted` free blocks of the class into `out`, lowest address last (so that a stack pops it
// first). Returns how many; 0 only when memory is out.
unsigned take_blocks(unsigned size_class, Entry *out, unsigned wanted);
void give_blocks(unsigned size_class, const Entry *blocks, unsigned count);

struct ClassStatistics {
  uint32_t spans;
  uint32_t purged;
  uint64_t free_blocks; // in spans, not in thread caches
  uint64_t refills;
  uint64_t flushes;
};
// Without the lock, so that _exit in a signal handler may ask: numbers of about this moment.
ClassStatistics class_statistics(unsigned size_class);

bool is_valid(unsigned size_class); // counts against bitmaps; for tests

void lock_spans();
void unlock_spans();
void reset_span_locks();

bool create_span_table(size_t pages);
void destroy_span_table();

} // namespace culprit::heap
