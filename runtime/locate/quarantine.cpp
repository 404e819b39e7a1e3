// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See quarantine.h.
#include "runtime/locate/quarantine.h"

#include "runtime/start/options.h"

namespace culprit::locate {
namespace {

constexpr uint64_t kLeast = uint64_t{8} << 20;
// Of a heap that never was large: what it allocates shall be in a cache now and then.
constexpr uint64_t kLeastOfSmall = uint64_t{2} << 20;
constexpr uint64_t kTimes = 4;

uintptr_t g_oldest; // start of the block; 0: empty
uintptr_t g_newest;
uint64_t g_bytes;
uint64_t g_live;
uint64_t g_peak; // of what was alive
uint64_t g_most;

// The pages of a large block are gone already, its address range is not: so many bytes, so that
// there are never more of them than the kernel keeps mappings apart.
uint64_t weight(const Block &block) {
  return block.row->size > kLargestStamped ? kLargestStamped : block.end - block.start;
}

// The block that leaves next was freed long ago and is in no cache: waiting for it was most of what
// a free cost.
void fetch(const Block &block) {
  __builtin_prefetch(block.row);
  __builtin_prefetch(reinterpret_cast<const void *>(block.start));
  __builtin_prefetch(reinterpret_cast<const void *>(block.end - 1));
}

uint64_t limit() {
  uint64_t least = g_peak * kTimes;
  if (least > kLeast)
    least = kLeast;
  else if (least < kLeastOfSmall)
    least = kLeastOfSmall;
  uint64_t wanted = g_live / 2 > least ? g_live / 2 : least;
  return wanted < g_most ? wanted : g_most;
}

} // namespace

void create_quarantine() { g_most = start::options().quarantine; }

void count_live(const Block &block) {
  g_live += block.end - block.start;
  if (g_live > g_peak)
    g_peak = g_live;
}
void count_dead(const Block &block) { g_live -= block.end - block.start; }

void enter_quarantine(const Block &block) {
  block.row->next = 0;
  if (g_newest)
    place_of(g_newest).row->next = block.start;
  else
    g_oldest = block.start;
  g_newest = block.start;
  g_bytes += weight(block);
}

Block leave_quarantine() {
  if (g_bytes <= limit() || !g_oldest)
    return {};
  Block block = place_of(g_oldest);
  g_oldest = block.row->next;
  g_bytes -= weight(block);
  if (g_oldest)
    fetch(place_of(g_oldest));
  else
    g_newest = 0;
  return block;
}

uint64_t quarantined_bytes() { return g_bytes; }

} // namespace culprit::locate
