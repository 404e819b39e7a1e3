// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See index_tree.h. Children are found by a hash over parent and label, so that a node of a million
// children (a loop) is as fast as one of two.
#include "runtime/explain/index_tree.h"

#include "abi/explain.h"
#include "runtime/os/memory.h"

namespace culprit::explain {

os::Lock g_tree_lock;

namespace {

constexpr uint32_t kMostNodes = 1U << 28;
constexpr uint64_t kFirstBuckets = 1U << 10;

TreeNode *g_nodes;
uint32_t *g_buckets; // so many of them are in use:
uint64_t g_bucket_count;
uint32_t g_used; // highest number ever given
uint32_t g_free; // the first free one
TreeCounts g_counts;

// Rounds of a loop lie side by side: with labels mixed, too, ten million blocks took six times as
// long.
uint32_t &bucket_of(uint32_t parent, uint64_t label) {
  return g_buckets[(culprit_index_mix(parent) + (label ^ label >> 32)) & (g_bucket_count - 1)];
}

void link(uint32_t node) {
  uint32_t &bucket = bucket_of(g_nodes[node].parent, g_nodes[node].label);
  g_nodes[node].next = bucket;
  bucket = node;
}

void unlink(uint32_t node) {
  uint32_t *at = &bucket_of(g_nodes[node].parent, g_nodes[node].label);
  while (*at != node)
    at = &g_nodes[*at].next;
  *at = g_nodes[node].next;
}

// Twice as many: they grow with the tree, because a sparse table would cost a page for each node.
void grow() {
  __builtin_memset(g_buckets, 0, g_bucket_count * sizeof *g_buckets);
  g_bucket_count *= 2;
  for (uint32_t node = kTreeRoot + 1; node <= g_used; ++node)
    if (g_nodes[node].parent)
      link(node);
}

uint32_t take_number() {
  if (uint32_t node = g_free) {
    g_free = g_nodes[node].next;
    return node;
  }
  return g_used + 1 < kMostNodes ? ++g_used : 0;
}

} // namespace

bool create_tree() {
  if (!os::map_table(g_nodes, kMostNodes) || !os::map_table(g_buckets, kMostNodes))
    return false;
  g_bucket_count = kFirstBuckets;
  g_used = kTreeRoot;
  g_nodes[kTreeRoot].index = CULPRIT_INDEX_ROOT;
  g_nodes[kTreeRoot].uses = 1;
  g_counts = {1, 1, 0};
  return true;
}

const TreeNode &tree_node(uint32_t node) { return g_nodes[node]; }

NodeName name_of(uint32_t node) { return NodeName{g_nodes[node].generation} << 32 | node; }

uint32_t node_of(NodeName name) {
  auto node = static_cast<uint32_t>(name);
  return g_nodes[node].generation == name >> 32 ? node : 0;
}

uint32_t tree_child(uint32_t parent, uint64_t label) {
  for (uint32_t node = bucket_of(parent, label); node; node = g_nodes[node].next)
    if (g_nodes[node].parent == parent && g_nodes[node].label == label)
      return node;
  uint32_t node = take_number();
  if (!node)
    return 0;
  uint32_t depth = g_nodes[parent].depth + 1;
  g_nodes[node] = {label, 0, parent, 0, 0, g_nodes[node].generation, depth, 0};
  ++g_nodes[parent].uses;
  link(node);
  if (depth > g_counts.deepest)
    g_counts.deepest = depth;
  if (++g_counts.nodes > g_counts.most_nodes)
    g_counts.most_nodes = g_counts.nodes;
  if (g_counts.nodes > g_bucket_count)
    grow();
  return node;
}

void set_tree_index(uint32_t node, uint64_t index) { g_nodes[node].index = index; }

void use_node(uint32_t node) { ++g_nodes[node].uses; }

void release_node(uint32_t node) {
  while (--g_nodes[node].uses == 0) { // the root has a use of its own
    uint32_t parent = g_nodes[node].parent;
    unlink(node);
    g_nodes[node].parent = 0;
    g_nodes[node].next = g_free;
    ++g_nodes[node].generation;
    g_free = node;
    --g_counts.nodes;
    node = parent;
  }
}

TreeCounts tree_counts() { return g_counts; }

} // namespace culprit::explain
