// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large blocks as vertexes. The heap lists the living ones; compared with the list of the last
// point that gives births, deaths and changes of extent. Which block a page belongs to is kept in
// the owner table; when a page that words point to changes its owner, all edges to large blocks are
// taken away and counted again (graph.cpp): blocks of this size come and go rarely. Only under the
// point lock.
#pragma once

#include "runtime/monitor/graph.h"

namespace culprit::monitor {

struct LargeTotals {
  uint64_t blocks;
  uint64_t bytes;
};

bool create_large_vertexes();
// Asks the heap. False: not now.
bool look_at_large();
// Step 2 for large blocks.
void compare_large();
// Blocks that kept their content but not their extent are read again as a whole.
void scan_resized(ScanCost &cost);
// Does a page that words point to change its owner? If not, the table is brought up to date.
bool owners_will_change();
void switch_owners();
// Born blocks enter the histograms.
void count_large();
LargeTotals large_totals();

} // namespace culprit::monitor
