// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See pools.h. Nodes lie in a sparse table and are known by number; 0 is none. Priorities are made
// of addresses, so that the tree is the same in every run that has the same objects.
#include "runtime/explain/pools.h"

#include "abi/explain.h"
#include "runtime/os/lock.h"
#include "runtime/os/memory.h"

namespace culprit::explain {
namespace {

constexpr uint32_t kMostObjects = 1U << 28;

struct Node {
  PoolObject object;
  uint32_t left;
  uint32_t right;
};

os::Lock g_lock;
Node *g_nodes;
uint32_t g_root;
uint32_t g_used; // highest number ever given
uint32_t g_free; // first free one, linked by `left`

uint64_t priority(const Node &node) { return culprit_index_fold(1, node.object.start); }

// Those before `start`, and the others.
void split(uint32_t tree, uintptr_t start, uint32_t &before, uint32_t &behind) {
  if (!tree) {
    before = behind = 0;
  } else if (g_nodes[tree].object.start < start) {
    before = tree;
    split(g_nodes[tree].right, start, g_nodes[tree].right, behind);
  } else {
    behind = tree;
    split(g_nodes[tree].left, start, before, g_nodes[tree].left);
  }
}

uint32_t merge(uint32_t before, uint32_t behind) {
  if (!before || !behind)
    return before ? before : behind;
  if (priority(g_nodes[before]) > priority(g_nodes[behind])) {
    g_nodes[before].right = merge(g_nodes[before].right, behind);
    return before;
  }
  g_nodes[behind].left = merge(before, g_nodes[behind].left);
  return behind;
}

uint32_t take_node() {
  if (uint32_t node = g_free) {
    g_free = g_nodes[node].left;
    return node;
  }
  if ((!g_nodes && !os::map_table(g_nodes, kMostObjects)) || g_used + 1 >= kMostObjects)
    return 0;
  return ++g_used;
}

// Takes out the one that starts there.
void take_out(uintptr_t start, uint32_t &before, uint32_t &behind) {
  uint32_t rest = 0;
  uint32_t one = 0;
  split(g_root, start, before, rest);
  split(rest, start + 1, one, behind);
  if (one) {
    g_nodes[one].left = g_free;
    g_free = one;
  }
}

void visit_tree(uint32_t tree, void (*visit)(const PoolObject &object, void *data), void *data) {
  if (!tree)
    return;
  visit_tree(g_nodes[tree].left, visit, data);
  visit(g_nodes[tree].object, data);
  visit_tree(g_nodes[tree].right, visit, data);
}

} // namespace

void add_pool_object(const PoolObject &object) {
  os::Hold hold(g_lock);
  uint32_t before = 0;
  uint32_t behind = 0;
  take_out(object.start, before, behind);
  if (uint32_t node = take_node()) {
    g_nodes[node] = {object, 0, 0};
    before = merge(before, node);
  }
  g_root = merge(before, behind);
}

void remove_pool_object(const void *pool, uintptr_t start) {
  const PoolObject *object = find_pool_object(start);
  if (!object || object->start != start || object->pool != pool)
    return;
  os::Hold hold(g_lock);
  uint32_t before = 0;
  uint32_t behind = 0;
  take_out(start, before, behind);
  g_root = merge(before, behind);
}

const PoolObject *find_pool_object(uintptr_t address) {
  if (!g_root)
    return nullptr;
  os::Hold hold(g_lock);
  const PoolObject *last = nullptr;
  for (uint32_t tree = g_root; tree;) {
    const Node &node = g_nodes[tree];
    if (node.object.start <= address)
      last = &node.object;
    tree = node.object.start <= address ? node.right : node.left;
  }
  return last && address - last->start < last->size ? last : nullptr;
}

void visit_pool_objects(void (*visit)(const PoolObject &object, void *data), void *data) {
  visit_tree(g_root, visit, data);
}

void reset_pool_lock() { g_lock.reset(); }

} // namespace culprit::explain
