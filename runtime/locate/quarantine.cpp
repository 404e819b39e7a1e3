// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See quarantine.h.
#include "runtime/locate/quarantine.h"

#include "runtime/locate/guards.h"
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

// The blocks in the order they were freed; memory is used from the oldest to the
// newest, so it wanders through the whole range and goes back to the kernel behind itself.
struct Waiting {
  heap::Entry entry;
  uint64_t row : 56; // of a small block, so that nothing has to be looked up when it leaves
  uint64_t size_class : 8;
};
Waiting *g_line;
uint64_t g_mask;                                  // entries, a power of two, less one
uint64_t g_left;                                  // so many were in the line and are not any more
uint64_t g_joined;                                // so many joined it
constexpr uint64_t kPurged = uint64_t{64} * 1024; // entries, at a time
constexpr uint64_t kAhead = 8;
uint64_t g_bytes;
uint64_t g_live;
uint64_t g_peak; // of what was alive
uint64_t g_most;

// The pages of a large block are gone already, its address range is not: so many bytes, so that
// there are never more of them than the kernel keeps mappings apart.
uint64_t weight(const Block &block) {
  return block.row->size > kLargestStamped ? kLargestStamped : block.end - block.start;
}

Block block_of(const Waiting &waiting) {
  uintptr_t start = heap::entry_start(waiting.entry);
  if (waiting.size_class == heap::kLargeClass) [[unlikely]]
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
void fetch(const Waiting &waiting) {
  Block block = block_of(waiting);

  // Its neighbours' as well: who is next to it decides whose the guard between them is.
  __builtin_prefetch(block.row - 1);
  __builtin_prefetch(block.row + 1);
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

} // namespace

bool create_quarantine() {
  g_most = start::options().quarantine;
  uint64_t room = kPurged * 2;
  while (room <= g_most / heap::kGranule)
    room *= 2;
  g_mask = room - 1;
  return os::map_table(g_line, room);
}

void count_live(const Block &block) {
  g_live += block.end - block.start;
  if (g_live > g_peak)
    g_peak = g_live;
}
void count_dead(const Block &block) { g_live -= block.end - block.start; }

void enter_quarantine(const Block &block) {
  uint64_t row = is_large(block) ? 0 : static_cast<uint64_t>(block.row - g_small);
  g_line[g_joined++ & g_mask] = {heap::make_entry(block.start, block.slot), row, block.size_class};
  g_bytes += weight(block);
}

Block leave_quarantine() {
  if (g_bytes <= limit() || g_left == g_joined)
    return {};
  Block block = block_of(g_line[g_left++ & g_mask]);
  g_bytes -= weight(block);
  if (g_left % kPurged == 0)
    os::purge(reinterpret_cast<char *>(&g_line[(g_left - kPurged) & g_mask]),
              kPurged * sizeof *g_line);
  if (g_left + kAhead < g_joined)
    fetch(g_line[(g_left + kAhead) & g_mask]);
  return block;
}

uint64_t quarantined_bytes() { return g_bytes; }

} // namespace culprit::locate
