// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap graph, brought up to date at each metric point: docs/heap-graph.md says what it is.
// After update(), with no other thread running, in- and out-degree of every live block are what a
// full scan would find (verify.h does that scan).
//
// Order of an update, and why:
//   0. In a program without instrumentation, cards of written pages are marked (unseen_writes.h).
//   1. Marks are taken from the cards, then every thread's stores made visible. Before the live
//      bytes are read: a block born later has its card marked for the next point.
//   2. Live bytes are compared with those of the last point, where a mark says that they may
//      differ. Those that died lose their edges, but count as living targets until 4. Born blocks
//      become sources and targets: stale pointers that lead to them are edges again.
//   3. Blocks on marked cards are read again and their edges compared.
//   4. Those that died are taken from the out-degree of the sources that still point to them. After
//      3: a block that was unlinked and freed has none left.
// The sources of a block born or dead in 2 and 4: one is named by the node; if there are more, one
// pass over all edges finds them.
// All under the point lock.
#pragma once

#include "runtime/monitor/scan.h"

namespace culprit::monitor {

struct GraphTotals {
  uint64_t live_objects;
  uint64_t live_bytes;
  uint64_t edges;
};

struct UpdateCost {
  ScanCost scan;
  uint64_t cards;
  uint64_t slots; // whose liveness was compared
  uint64_t born;
  uint64_t died;
  uint64_t visited; // vertexes, by passes over all edges
  bool read_all;    // every block, since nobody said what was written
  uint64_t pages;   // that the kernel says were written; each costs the target a fault
};

bool create_graph();

// False if the graph is not to be had now (the large blocks are being changed by the code we
// interrupted) or any more (no memory).
bool update_graph(UpdateCost &cost);

GraphTotals graph_totals();

// The spans of small blocks known so far, for whoever walks all vertexes.
struct KnownSpan {
  uint32_t page;
  uint32_t size_class;
};
struct KnownSpans {
  const KnownSpan *at;
  size_t count;
};
KnownSpans known_spans();

struct KnownLarge {
  const heap::LargeLive *at;
  size_t count;
};
KnownLarge known_large(); // of the last point, or of the one being made

inline Ref first_ref(uint32_t page) {
  return static_cast<Ref>(heap::entry_number(heap::g_arena.page_table[page])) + 1;
}

} // namespace culprit::monitor
