// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See quarantine.h.
#include "runtime/locate/quarantine.h"

#include "runtime/locate/guards.h"
#include "runtime/locate/values.h"
#include "runtime/start/options.h"

namespace culprit::locate {
namespace {

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

// The blocks in the order they were freed, in a ring that is twice as large whenever it is full.
// One that wanders through new memory takes a page fault for every 256 frees: 8 % of the time of a
// program that builds and drops trees.
struct Waiting {
  heap::Entry entry;
  uint64_t row : 40; // of a small block, so that nothing has to be looked up when it leaves
  uint64_t turn : 16;
  uint64_t size_class : 8;
};
Waiting *g_line;
uint64_t g_mask;    // entries in use, a power of two, less one
uint64_t g_left;    // so many were in the line and are not any more
uint64_t g_ripened; // so many of all that joined are not young
uint64_t g_joined;  // so many joined it
constexpr uint64_t kFirstRing = 1024;
constexpr uint64_t kFewest = uint64_t{64} * 1024; // entries that may always wait
constexpr uint64_t kAhead = 8;
uint64_t g_bytes;
uint64_t g_young;

// Of small blocks: a bit for each object number, set while it waits and is not young any more. A
// span's numbers begin at a multiple of 64, so no word belongs to two.
uint64_t *g_ripe;
constexpr unsigned kWord = 64;
static_assert(heap::kNumberUnit % kWord == 0);
// Of each size class: what was freed last, and the block that is given next if it still waits then.
struct Near {
  Block freed;
  Block next;
};
Near g_near[heap::kLargeClass + 1];

uint64_t g_live;
uint64_t g_peak; // of what was alive
uint64_t g_most;

// The pages of a large block are gone already, its address range is not: so many bytes, so that
// there are never more of them than the kernel keeps mappings apart. Of a small block the row is
// not read for it: it is in no cache.
uint64_t weight(const Block &block) {
  return is_large(block) && block.row->size > kLargestStamped ? kLargestStamped
                                                              : block.end - block.start;
}

bool is_small(const Waiting &waiting) { return waiting.size_class != heap::kLargeClass; }
uint64_t bit_of(uint64_t number) { return uint64_t{1} << (number % kWord); }
bool is_ripe(uint64_t number) { return g_ripe[number / kWord] & bit_of(number); }
// Handed out meanwhile, from the middle of the line; not of young ones. Most are known by their
// bit: their row is in no cache.
bool is_gone(const Waiting &waiting) {
  return is_small(waiting) && (!is_ripe(waiting.row) || g_small[waiting.row].turn != waiting.turn);
}

Block block_of(const Waiting &waiting) {
  uintptr_t start = heap::entry_start(waiting.entry);
  if (!is_small(waiting)) [[unlikely]]
    return known_place(start);
  return small_block(&g_small[waiting.row], start, heap::entry_slot(waiting.entry),
                     waiting.size_class);
}

void fetch_lines(uintptr_t from, uintptr_t end) {
  constexpr uintptr_t kLine = 64;
  constexpr uintptr_t kLines = 8; // of a longer range the processor sees by itself where it goes
  if (end - from > kLines * kLine)
    end = from + kLines * kLine;
  for (uintptr_t at = from & ~(kLine - 1); at < end; at += kLine)
    __builtin_prefetch(reinterpret_cast<const void *>(at));
}

// Blocks that leave soon were freed long ago and are in no cache: waiting for them was most of what
// a free cost. Nor are their ids, which the next block there writes: that was most of what an
// allocation cost.
void fetch(const Block &block) {
  __builtin_prefetch(block.row, 1);
  // Then its neighbours' as well: who they are decides whether the guards are set again.
  if (__culprit_armed) {
    __builtin_prefetch(block.row - 1);
    __builtin_prefetch(block.row + 1);
  }
  uintptr_t guard = block.start - kGuardBytes;
  fetch_lines(guard, block.end);
  fetch_lines(reinterpret_cast<uintptr_t>(cell_of(guard)),
              reinterpret_cast<uintptr_t>(cell_of(block.end - 1) + 1));
}

uint64_t limit() {
  uint64_t least = g_peak * kTimes;
  if (least > kLeast)
    least = kLeast;
  else if (least < kLeastOfSmall)
    least = kLeastOfSmall;
  uint64_t wanted = g_live / kShare > least ? g_live / kShare : least;
  return wanted < g_most ? wanted : g_most;
}

void ripen_one() {
  const Waiting &waiting = g_line[g_ripened++ & g_mask];
  g_young -= weight(block_of(waiting));
  if (is_small(waiting))
    g_ripe[waiting.row / kWord] |= bit_of(waiting.row);
}

void ripen(uint64_t most) {
  uint64_t young = most / kYoungShare > kLeastYoung ? most / kYoungShare : kLeastYoung;
  while (g_young > young)
    ripen_one();
}

// Entries of blocks that are gone stay in the line. More than these are not kept, and so few that
// no turn comes again (65,536) while one of its entries is there: a block's turns are at least
// kLeastYoung bytes apart.
uint64_t most_entries(uint64_t most) {
  uint64_t entries = most / heap::kGranule;
  return entries > kFewest ? entries : kFewest;
}
static_assert(kFewest / (kLeastYoung / heap::kLargestSmall) < 65536);

// Each entry keeps its place, or moves up by as much as there was.
void double_ring() {
  uint64_t before = g_mask + 1;
  for (uint64_t i = g_left; i != g_joined; ++i)
    if (i & before)
      g_line[(i & g_mask) + before] = g_line[i & g_mask];
  g_mask = before * 2 - 1;
}

// A ripe block beside the last freed one; no row: there is none.
Block find_near(unsigned size_class) {
  const Block &freed = g_near[size_class].freed;
  if (!freed.row)
    return {};
  auto number = static_cast<uint64_t>(freed.row - g_small);
  auto word = static_cast<int64_t>(freed.slot / kWord);
  auto words = static_cast<int64_t>((heap::kClasses.of[size_class].slots + kWord - 1) / kWord);
  const uint64_t *of_span = &g_ripe[(number - freed.slot) / kWord];
  const int64_t places[] = {word, word + 1, word - 1};
  for (int64_t at : places) {
    if (at < 0 || at >= words || !of_span[at])
      continue;
    auto slot =
        static_cast<uint64_t>(at) * kWord + static_cast<uint64_t>(__builtin_ctzll(of_span[at]));
    int64_t distance = static_cast<int64_t>(slot) - freed.slot;
    auto size = static_cast<int64_t>(freed.end - freed.start);
    return small_block(freed.row + distance, freed.start + static_cast<uintptr_t>(distance * size),
                       slot, size_class);
  }
  return {};
}

// Looked for, and its memory waited for, while the program does something else.
void choose_next(unsigned size_class) {
  Block next = find_near(size_class);
  g_near[size_class].next = next;
  if (next.row)
    fetch(next);
}

} // namespace

bool create_quarantine() {
  g_most = start::options().quarantine;
  uint64_t room = kFewest * 2;
  while (room <= g_most / heap::kGranule)
    room *= 2;
  g_mask = kFirstRing - 1;
  return os::map_table(g_line, room) && os::map_table(g_ripe, small_rows() / kWord);
}

void count_live(const Block &block) {
  g_live += block.end - block.start;
  if (g_live > g_peak)
    g_peak = g_live;
}
void count_dead(const Block &block) { g_live -= block.end - block.start; }

void enter_quarantine(const Block &block) {
  uint64_t row = is_large(block) ? 0 : static_cast<uint64_t>(block.row - g_small);
  if (g_joined - g_left > g_mask) [[unlikely]]
    double_ring();
  g_line[g_joined++ & g_mask] = {heap::make_entry(block.start, block.slot), row, block.row->turn,
                                 block.size_class};
  uint64_t bytes = weight(block);
  g_bytes += bytes;
  g_young += bytes;
  if (is_large(block)) [[unlikely]]
    return;
  g_near[block.size_class].freed = block;
  choose_next(block.size_class);
}

Block leave_quarantine() {
  uint64_t most = limit();
  ripen(most);
  while (g_left != g_joined && (g_bytes > most || g_joined - g_left > most_entries(most))) {
    if (g_left == g_ripened)
      ripen_one();
    Waiting waiting = g_line[g_left++ & g_mask];
    if (g_left + kAhead < g_ripened)
      if (const Waiting &ahead = g_line[(g_left + kAhead) & g_mask];
          is_small(ahead) && is_ripe(ahead.row))
        fetch(block_of(ahead));
    if (is_gone(waiting))
      continue;
    Block block = block_of(waiting);
    g_bytes -= weight(block);
    if (is_small(waiting))
      g_ripe[waiting.row / kWord] &= ~bit_of(waiting.row);
    return block;
  }
  return {};
}

Block take_near(unsigned size_class) {
  Block block = g_near[size_class].next;
  if (!block.row)
    return {};
  auto number = static_cast<uint64_t>(block.row - g_small);
  if (!is_ripe(number)) { // it has left meanwhile, as the oldest
    block = find_near(size_class);
    if (!block.row)
      return {};
    number = static_cast<uint64_t>(block.row - g_small);
  }
  g_ripe[number / kWord] &= ~bit_of(number);
  ++block.row->turn;
  g_bytes -= weight(block);
  choose_next(size_class);
  return block;
}

uint64_t quarantined_bytes() { return g_bytes; }

} // namespace culprit::locate
