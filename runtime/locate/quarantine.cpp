// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See quarantine.h.
#include "runtime/locate/quarantine.h"

#include "runtime/start/options.h"

namespace culprit::locate {
namespace {

uint64_t g_oldest; // row + 1; 0: empty
uint64_t g_newest;
uint64_t g_bytes;
uint64_t g_limit;

// The pages of a large block are gone already, its address range is not: so many bytes, so that
// there are never more of them than the kernel keeps mappings apart.
uint64_t weight(const Block &block) {
  return block.size > kLargestStamped ? kLargestStamped : block.length;
}

} // namespace

void create_quarantine() { g_limit = start::options().quarantine; }

void enter_quarantine(uint64_t row) {
  g_blocks[row].next = 0;
  if (g_newest)
    g_blocks[g_newest - 1].next = row + 1;
  else
    g_oldest = row + 1;
  g_newest = row + 1;
  g_bytes += weight(g_blocks[row]);
}

Block *leave_quarantine() {
  if (g_bytes <= g_limit || !g_oldest)
    return nullptr;
  Block &block = g_blocks[g_oldest - 1];
  g_oldest = block.next;
  if (!g_oldest)
    g_newest = 0;
  g_bytes -= weight(block);
  return &block;
}

uint64_t quarantined_bytes() { return g_bytes; }

} // namespace culprit::locate
