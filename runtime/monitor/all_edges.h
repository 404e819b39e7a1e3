// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks over all living vertexes and their edges, for what is counted over the whole graph. Only
// under the point lock, after an update.
#pragma once

#include "runtime/monitor/edges.h"
#include "runtime/monitor/graph.h"

namespace culprit::monitor {

inline bool lives(Ref ref) { return ref && g_nodes[ref].flags & kCounted; }

// The living vertex a word of the edge lists means; 0: none.
inline Ref vertex_of(Ref target) {
  if (target >= kLargeRefs)
    target = g_owner[target - kLargeRefs];
  return lives(target) ? target : 0;
}

// Targets by position: of a wide source, one per word.
struct TargetList {
  const Ref *at;
  size_t count;
};
inline TargetList all_targets(const Node &node) {
  if (node.out & kListed) {
    const uint32_t *list = g_pool + (node.out & ~kListed);
    return {list + (node.flags & kWide ? kShadowHead : kListHead), list[1]};
  }
  return {&node.out, node.out ? size_t{1} : 0};
}

template <typename Visit> void for_each_vertex(Visit visit) {
  KnownSpans spans = known_spans();
  for (size_t i = 0; i < spans.count; ++i) {
    Ref first = first_ref(spans.at[i].page);
    size_t slots = heap::kClasses.of[spans.at[i].size_class].slots;
    for (Ref ref = first; ref < first + slots; ++ref)
      if (g_nodes[ref].flags & kCounted)
        visit(ref);
  }
  KnownLarge large = known_large();
  for (size_t i = 0; i < large.count; ++i)
    visit(kLargeRefs + large.at[i].page);
}

} // namespace culprit::monitor
