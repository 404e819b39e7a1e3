// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The edges of one source, and the degrees and histogram cells that follow from a change of them.
// A list holds where the source's words point, alive or not, sorted, each once: so that a block
// that is born or dies where pointers lead already finds its sources, and their out-degree (alive
// targets only) can follow.
//
//   narrow source: none | the only target in the node | pool chunk {alive, count, targets…}
//   wide source:   none | pool chunk {alive, words, how many of them lead into the source itself,
//                  target of each word…}, counts in wide_edges.h
// Only under the point lock.
#pragma once

#include "runtime/monitor/edge_pool.h"
#include "runtime/monitor/histograms.h"
#include "runtime/monitor/vertexes.h"

namespace culprit::monitor {

constexpr size_t kListHead = 2;   // words before the targets
constexpr size_t kShadowHead = 3; // of a wide source

extern uint64_t g_edges; // between living vertexes
extern bool g_no_room;   // an edge could not be kept: the graph is lost

inline uint32_t live_out(const Node &node) {
  if (node.out & kListed)
    return g_pool[node.out & ~kListed];
  return node.flags & kSingleLive ? 1 : 0;
}

// The histogram cell of a vertex with this node, were its in-degree `in`.
inline unsigned cell_with(const Node &node, uint32_t in) {
  return node.few == CULPRIT_CELL_OUT && in >= CULPRIT_CELL_IN ? culprit_cell(in, live_out(node))
                                                               : culprit_cell(in, node.few);
}

struct Targets {
  const Ref *at;
  size_t count;
};
// Of a narrow source; `single` holds the only target if the node does.
inline Targets targets_of(const Node &node, Ref &single) {
  if (node.out & kListed) {
    const uint32_t *list = g_pool + (node.out & ~kListed);
    return {list + kListHead, list[1]};
  }
  single = node.out;
  return {&single, node.out ? size_t{1} : 0};
}

// Where word `index` of a wide source pointed when it was read last.
inline Ref wide_word(const Node &node, size_t index) {
  if (!node.out)
    return 0;
  const uint32_t *shadow = g_pool + (node.out & ~kListed);
  return index < shadow[1] ? shadow[kShadowHead + index] : 0;
}

// How many words of a wide source led into the source itself when they were read last.
inline uint32_t words_inside(const Node &node) {
  return node.out ? g_pool[(node.out & ~kListed) + 2] : 0;
}

// Does the narrow source's list hold exactly these?
inline bool has_targets(Ref source, const Ref *targets, size_t count) {
  Ref single;
  Targets known = targets_of(g_nodes[source], single);
  if (known.count != count)
    return false;
  // Not memcmp: lists are short, and it reads a masked vector even of no bytes, which at a null
  // pointer cost a quarter of all time.
  for (size_t i = 0; i < count; ++i)
    if (known.at[i] != targets[i])
      return false;
  return true;
}

// The words of a narrow source point to these now (sorted, distinct), and did not before.
void set_targets(Ref source, const Ref *targets, size_t count);
// Word `index` of a wide source of `words` words points there now (0: nowhere).
void set_wide_word(Ref source, size_t words, size_t index, Ref target);
// All edges of a source go.
void drop_targets(Ref source);

// A target of `source` was born or died.
void change_live_out(Ref source, int by);

// The source's edges to large blocks, by owner: taken away and counted again around a change of
// the owner table.
void detach_large(Ref source);
void attach_large(Ref source);
void detach_wide_large();
void attach_wide_large();

// The vertex becomes or ceases to be part of the histograms.
void count_vertex(Ref vertex);
void uncount_vertex(Ref vertex);
void change_context(Ref vertex, uint32_t context);

} // namespace culprit::monitor
