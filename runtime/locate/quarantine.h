// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The quarantine: freed blocks in the order they were freed. It may hold an eighth as many bytes as
// live blocks do, at least 2 MiB (a heap that has always been small: four times its size, at least
// 512 KiB) and at most what the option `quarantine` says; then the oldest go back to the heap. By
// bytes and order alone, so the same calls give the same addresses. The caller holds the lock of
// the blocks.
//
// A program that frees a node and allocates the next has both in one place. If the next is always
// the oldest one, what is used together lies all over the heap after a while: a program that moves
// cells between short lists took half as long again. So a block that is not one of the youngest (a
// quarter of all bytes, at least 512 KiB) may leave earlier, if it lies beside what was freed last.
//
// What every allocation and every free does is inline (blocks.cpp has the only calls): with its
// calls, and blocks handed over in memory, it was a third of the instructions of both.
#pragma once

#include "runtime/locate/block_table.h"
#include "runtime/locate/guards.h"
#include "runtime/locate/values.h"

// The compiler's measure of what is worth it does not know how often this is executed.
#define CULPRIT_HOT [[gnu::always_inline]] inline

namespace culprit::locate {

// The blocks in the order they were freed, in a ring that is twice as large whenever it is full.
// One that wanders through new memory takes a page fault for every 256 frees: 8 % of the time of a
// program that builds and drops trees.
struct Waiting {
  heap::Entry entry;
  uint64_t row : 40; // of a small block, so that nothing has to be looked up when it leaves
  uint64_t turn : 16;
  uint64_t size_class : 8;
};

// A small block, as short as it can be kept.
struct Place {
  BlockRow *row; // null: there is none
  heap::Entry entry;
};

// Of each size class: what was freed last, and the block that is given next if it still waits then.
struct Near {
  Place freed;
  Place next;
};

struct Quarantine {
  Waiting *line;
  uint64_t mask;    // entries in use, a power of two, less one
  uint64_t left;    // so many were in the line and are not any more
  uint64_t ripened; // so many of all that joined are not young
  uint64_t joined;  // so many joined it
  uint64_t bytes;
  uint64_t young;
  // Of small blocks: a bit for each object number, set while it waits and is not young any more. A
  // span's numbers begin at a multiple of 64, so no word belongs to two.
  uint64_t *ripe;
  uint64_t live;
  uint64_t peak;  // of what was alive
  uint64_t least; // what may wait in any case, by the peak
  uint64_t most;
  Near near[heap::kLargeClass + 1];
};
extern Quarantine g_quarantine;

// Every byte of it takes another two of ids: what waits is what the program's own blocks miss in
// the processor's caches. A program that walks over 16 MiB of short lists took 7.2 s with 8
// MiB, 5.5 s with these and 4.1 s with none.
constexpr uint64_t kShare = 8; // of what is alive
constexpr uint64_t kLeast = uint64_t{2} << 20;
constexpr uint64_t kLeastOfSmall = uint64_t{512} << 10;
constexpr uint64_t kTimes = 4;
// Of what waits, the younger part, which nobody gets: a quarter, but not less than this.
constexpr uint64_t kYoungShare = 4;
constexpr uint64_t kLeastYoung = uint64_t{512} << 10;
constexpr uint64_t kFewest = uint64_t{64} * 1024; // entries that may always wait
constexpr uint64_t kAhead = 8;
constexpr unsigned kWord = 64;
static_assert(heap::kNumberUnit % kWord == 0);

bool create_quarantine(); // false: there is no room
void double_ring();
void set_peak(uint64_t live);
Place find_near(unsigned size_class);

inline uint64_t quarantined_bytes() { return g_quarantine.bytes; }

// So many more bytes are live, or fewer.
CULPRIT_HOT void count_live(const Block &block) {
  g_quarantine.live += block.end - block.start;
  if (g_quarantine.live > g_quarantine.peak) [[unlikely]]
    set_peak(g_quarantine.live);
}
inline void count_dead(const Block &block) { g_quarantine.live -= block.end - block.start; }

// The pages of a large block are gone already, its address range is not: so many bytes, so that
// there are never more of them than the kernel keeps mappings apart. Of a small block the row is
// not read for it: it is in no cache.
CULPRIT_HOT uint64_t weight(const Block &block) {
  return is_large(block) && block.row->size > kLargestStamped ? kLargestStamped
                                                              : block.end - block.start;
}

inline bool is_small(const Waiting &waiting) { return waiting.size_class != heap::kLargeClass; }
inline uint64_t bit_of(uint64_t number) { return uint64_t{1} << (number % kWord); }
inline bool is_ripe(uint64_t number) { return g_quarantine.ripe[number / kWord] & bit_of(number); }
inline uint64_t number_of_row(const BlockRow *row) { return static_cast<uint64_t>(row - g_small); }
// Handed out meanwhile, from the middle of the line; not of young ones. Most are known by their
// bit: their row is in no cache.
CULPRIT_HOT bool is_gone(const Waiting &waiting) {
  return is_small(waiting) && (!is_ripe(waiting.row) || g_small[waiting.row].turn != waiting.turn);
}

CULPRIT_HOT Block block_of(const Waiting &waiting) {
  uintptr_t start = heap::entry_start(waiting.entry);
  if (!is_small(waiting)) [[unlikely]]
    return known_place(start);
  return small_block(&g_small[waiting.row], start, heap::entry_slot(waiting.entry),
                     waiting.size_class);
}

CULPRIT_HOT Block block_of(const Place &place, unsigned size_class) {
  return small_block(place.row, heap::entry_start(place.entry), heap::entry_slot(place.entry),
                     size_class);
}

CULPRIT_HOT void fetch_lines(uintptr_t from, uintptr_t end) {
  constexpr uintptr_t kLine = 64;
  constexpr uintptr_t kLines = 8; // of a longer range the processor sees by itself where it goes
  if (end - from > kLines * kLine) [[unlikely]]
    end = from + kLines * kLine;
  for (uintptr_t at = from & ~(kLine - 1); at < end; at += kLine)
    __builtin_prefetch(reinterpret_cast<const void *>(at));
}

// Blocks that leave soon were freed long ago and are in no cache: waiting for them was most of what
// a free cost. Nor are their ids, which the next block there writes: that was most of what an
// allocation cost.
CULPRIT_HOT void fetch(const Block &block) {
  __builtin_prefetch(block.row, 1);
  // Then its neighbours' as well: who they are decides whether the guards are set again.
  if (__culprit_armed) [[unlikely]] {
    __builtin_prefetch(block.row - 1);
    __builtin_prefetch(block.row + 1);
  }
  uintptr_t guard = block.start - kGuardBytes;
  fetch_lines(guard, block.end);
  uintptr_t cells = reinterpret_cast<uintptr_t>(cell_of(guard));
  fetch_lines(cells, cells + ((block.end - guard) << CULPRIT_SHADOW_SHIFT));
}

// Looked for, and its memory waited for, while the program does something else.
CULPRIT_HOT void choose_next(unsigned size_class) {
  Place next = find_near(size_class);
  g_quarantine.near[size_class].next = next;
  if (next.row)
    fetch(block_of(next, size_class));
}

// What was chosen still waits, and lies beside the one that was freed last.
CULPRIT_HOT bool is_near(const Near &near) {
  return near.next.row && is_ripe(number_of_row(near.next.row)) &&
         static_cast<uint64_t>(near.next.row - near.freed.row + kWord) <= uint64_t{2} * kWord;
}

CULPRIT_HOT uint64_t limit() {
  const Quarantine &all = g_quarantine;
  uint64_t wanted = all.live / kShare > all.least ? all.live / kShare : all.least;
  return wanted < all.most ? wanted : all.most;
}

inline void ripen_one() {
  const Waiting &waiting = g_quarantine.line[g_quarantine.ripened++ & g_quarantine.mask];
  g_quarantine.young -= weight(block_of(waiting));
  if (is_small(waiting))
    g_quarantine.ripe[waiting.row / kWord] |= bit_of(waiting.row);
}

CULPRIT_HOT void ripen(uint64_t most) {
  uint64_t young = most / kYoungShare > kLeastYoung ? most / kYoungShare : kLeastYoung;
  while (g_quarantine.young > young)
    ripen_one();
}

// Entries of blocks that are gone stay in the line. More than these are not kept, and so few that
// no turn comes again (65,536) while one of its entries is there: a block's turns are at least
// kLeastYoung bytes apart.
inline uint64_t most_entries(uint64_t most) {
  uint64_t entries = most / heap::kGranule;
  return entries > kFewest ? entries : kFewest;
}
static_assert(kFewest / (kLeastYoung / heap::kLargestSmall) < 65536);

// Behind all others.
CULPRIT_HOT void enter_quarantine(const Block &block) {
  Quarantine &all = g_quarantine;
  if (all.joined - all.left > all.mask) [[unlikely]]
    double_ring();
  heap::Entry entry = heap::make_entry(block.start, block.slot);
  uint64_t row = is_large(block) ? 0 : number_of_row(block.row);
  all.line[all.joined++ & all.mask] = {entry, row, block.row->turn, block.size_class};
  uint64_t bytes = weight(block);
  all.bytes += bytes;
  all.young += bytes;
  if (is_large(block)) [[unlikely]]
    return;
  Near &near = all.near[block.size_class];
  near.freed = {block.row, entry};
  if (!is_near(near)) [[unlikely]]
    choose_next(block.size_class);
}

// The oldest block, if there are too many bytes; no row: there are not.
CULPRIT_HOT Block leave_quarantine() {
  Quarantine &all = g_quarantine;
  uint64_t most = limit();
  ripen(most);
  while (all.left != all.joined &&
         (all.bytes > most || all.joined - all.left > most_entries(most))) {
    if (all.left == all.ripened)
      ripen_one();
    Waiting waiting = all.line[all.left++ & all.mask];
    if (all.left + kAhead < all.ripened)
      if (const Waiting &ahead = all.line[(all.left + kAhead) & all.mask];
          is_small(ahead) && is_ripe(ahead.row))
        fetch(block_of(ahead));
    if (is_gone(waiting))
      continue;
    Block block = block_of(waiting);
    all.bytes -= weight(block);
    if (is_small(waiting))
      all.ripe[waiting.row / kWord] &= ~bit_of(waiting.row);
    return block;
  }
  return {};
}

// A block of this class beside the one that was freed last, if there is one that has waited long
// enough; no row: there is none.
CULPRIT_HOT Block take_near(unsigned size_class) {
  Quarantine &all = g_quarantine;
  Place place = all.near[size_class].next;
  if (!place.row)
    return {};
  uint64_t number = number_of_row(place.row);
  if (!is_ripe(number)) [[unlikely]] { // it has left meanwhile, as the oldest
    place = find_near(size_class);
    if (!place.row)
      return {};
    number = number_of_row(place.row);
  }
  all.ripe[number / kWord] &= ~bit_of(number);
  ++place.row->turn;
  Block block = block_of(place, size_class);
  all.bytes -= weight(block);
  choose_next(size_class);
  return block;
}

} // namespace culprit::locate
