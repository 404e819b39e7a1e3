// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See edges.h.
#include "runtime/monitor/edges.h"

#include "runtime/monitor/wide_edges.h"

namespace culprit::monitor {

uint64_t g_edges;
bool g_no_room;

namespace {

constexpr size_t kMaxTargets = kNarrow / sizeof(uintptr_t);

void change_in(Ref target, int by, Ref source) {
  Node &node = g_nodes[target];
  if (node.flags & kCounted)
    move_cell(node.context, cell_with(node, node.in),
              cell_with(node, node.in + static_cast<uint32_t>(by)));
  node.in += static_cast<uint32_t>(by);
  node.in_xor ^= source;
}

// Must be called with the node's old `out` still in place; stores the new count nowhere.
void count_out_change(const Node &node, uint32_t before, uint32_t after) {
  g_edges += after;
  g_edges -= before;
  if (node.flags & kCounted)
    move_cell(node.context, culprit_cell(node.in, before), culprit_cell(node.in, after));
}

void set_live_out(Node &node, uint32_t live) {
  node.few = live < CULPRIT_CELL_OUT ? live : CULPRIT_CELL_OUT;
  if (node.out & kListed)
    g_pool[node.out & ~kListed] = live;
  else
    node.flags = static_cast<uint8_t>(live ? node.flags | kSingleLive : node.flags & ~kSingleLive);
}

// The distinct large blocks behind the pages at the end of a sorted list.
size_t owners_of(Targets targets, Ref *owners) {
  size_t first = targets.count;
  while (first && targets.at[first - 1] >= kLargeRefs)
    --first;
  size_t count = 0;
  for (size_t i = first; i < targets.count; ++i) {
    Ref owner = g_owner[targets.at[i] - kLargeRefs];
    if (owner && (!count || owners[count - 1] != owner))
      owners[count++] = owner;
  }
  return count;
}

void replace_list(Node &node, const Ref *targets, size_t count, uint32_t live) {
  uint32_t *old = node.out & kListed ? g_pool + (node.out & ~kListed) : nullptr;
  size_t old_words = old ? kListHead + old[1] : 0;
  if (count > 1 && old && chunk_words(kListHead + count) == chunk_words(old_words)) {
    old[1] = static_cast<uint32_t>(count);
    __builtin_memcpy(old + kListHead, targets, count * sizeof(Ref));
    set_live_out(node, live);
    return;
  }
  if (old)
    give_chunk(node.out & ~kListed, old_words);
  node.out = count ? targets[0] : 0;
  if (count > 1) {
    uint32_t index = take_chunk(kListHead + count);
    if (!index) {
      g_no_room = true;
      node.out = 0;
      node.few = 0;
      return;
    }
    g_pool[index + 1] = static_cast<uint32_t>(count);
    __builtin_memcpy(g_pool + index + kListHead, targets, count * sizeof(Ref));
    node.out = index | kListed;
  }
  set_live_out(node, live);
}

void change_page_refs(Ref page_ref, int by) {
  g_page_refs[page_ref - kLargeRefs] += static_cast<uint32_t>(by);
}

void lose(Ref source, Ref target) {
  if (target < kLargeRefs)
    change_in(target, -1, source);
  else
    change_page_refs(target, -1);
}

void gain(Ref source, Ref target) {
  if (target < kLargeRefs)
    change_in(target, 1, source);
  else
    change_page_refs(target, 1);
}

template <typename Lost, typename Gained>
void compare(Targets old, Targets now, Lost lost, Gained gained) {
  size_t i = 0;
  size_t j = 0;
  while (i < old.count || j < now.count) {
    if (j == now.count || (i < old.count && old.at[i] < now.at[j]))
      lost(old.at[i++]);
    else if (i == old.count || now.at[j] < old.at[i])
      gained(now.at[j++]);
    else
      ++i, ++j;
  }
}

// A word of a wide source that led nowhere leads there now; how many edges to living vertexes more.
uint32_t add_word(Ref source, Ref target) {
  uint32_t words = add_wide(source, target);
  if (words == ~0u)
    g_no_room = true;
  if (words != 1)
    return 0;
  gain(source, target);
  if (target < kLargeRefs)
    return alive(target);
  Ref owner = g_owner[target - kLargeRefs];
  if (!owner || add_wide(source, owner | kOwner) != 1)
    return 0;
  change_in(owner, 1, source);
  return 1;
}

uint32_t drop_word(Ref source, Ref target) {
  if (drop_wide(source, target))
    return 0;
  lose(source, target);
  if (target < kLargeRefs)
    return alive(target);
  Ref owner = g_owner[target - kLargeRefs];
  if (!owner || drop_wide(source, owner | kOwner))
    return 0;
  change_in(owner, -1, source);
  return 1;
}

bool leads_inside(Ref source, size_t words, Ref target) {
  if (source < kLargeRefs)
    return target == source;
  return target - source < words * sizeof(uintptr_t) >> heap::kPageShift; // pages
}

} // namespace

void set_targets(Ref source, const Ref *targets, size_t count) {
  Node &node = g_nodes[source];
  Ref single;
  Targets old = targets_of(node, single);
  uint32_t before = live_out(node);
  uint32_t after = 0;
  Targets now{targets, count};
  for (size_t i = 0; i < count && targets[i] < kLargeRefs; ++i)
    after += alive(targets[i]);
  compare(
      old, now, [&](Ref target) { lose(source, target); },
      [&](Ref target) { gain(source, target); });
  bool large = (count && targets[count - 1] >= kLargeRefs) ||
               (old.count && old.at[old.count - 1] >= kLargeRefs);
  if (large) {
    Ref old_owners[kMaxTargets];
    Ref now_owners[kMaxTargets];
    size_t old_count = owners_of(old, old_owners);
    size_t now_count = owners_of(now, now_owners);
    compare(
        {old_owners, old_count}, {now_owners, now_count},
        [&](Ref owner) { change_in(owner, -1, source); },
        [&](Ref owner) { change_in(owner, 1, source); });
    after += static_cast<uint32_t>(now_count);
  }
  count_out_change(node, before, after);
  replace_list(node, targets, count, after);
}

void set_wide_word(Ref source, size_t words, size_t index, Ref target) {
  Node &node = g_nodes[source];
  if (!node.out) {
    if (!target)
      return;
    uint32_t chunk = take_zeroed_chunk(kShadowHead + words);
    if (!chunk) {
      g_no_room = true;
      return;
    }
    g_pool[chunk + 1] = static_cast<uint32_t>(words);
    node.out = chunk | kListed;
  }
  uint32_t *shadow = g_pool + (node.out & ~kListed);
  if (index >= shadow[1])
    return; // grown by another thread since the shadow was made: the next point sees it resized
  Ref old = shadow[kShadowHead + index];
  if (old == target)
    return;
  shadow[kShadowHead + index] = target;
  shadow[2] += leads_inside(source, shadow[1], target);
  shadow[2] -= leads_inside(source, shadow[1], old);
  uint32_t before = shadow[0];
  uint32_t after = before;
  // The source may be its own target: its cell follows `before` until the count is stored.
  if (old)
    after -= drop_word(source, old);
  if (target)
    after += add_word(source, target);
  if (after != before) {
    count_out_change(node, before, after);
    set_live_out(node, after);
  }
}

void drop_targets(Ref source) {
  Node &node = g_nodes[source];
  if (!node.out)
    return;
  if (!(node.flags & kWide)) {
    set_targets(source, nullptr, 0);
    return;
  }
  uint32_t index = node.out & ~kListed;
  size_t words = g_pool[index + 1];
  for (size_t i = 0; i < words; ++i)
    set_wide_word(source, words, i, 0);
  node.out = 0;
  give_chunk(index, kShadowHead + words);
}

void change_live_out(Ref source, int by) {
  Node &node = g_nodes[source];
  uint32_t before = live_out(node);
  uint32_t after = before + static_cast<uint32_t>(by);
  count_out_change(node, before, after);
  set_live_out(node, after);
}

void detach_large(Ref source) {
  Ref single;
  Ref owners[kMaxTargets];
  size_t count = owners_of(targets_of(g_nodes[source], single), owners);
  for (size_t i = 0; i < count; ++i)
    change_in(owners[i], -1, source);
  if (count)
    change_live_out(source, -static_cast<int>(count));
}

void attach_large(Ref source) {
  Ref single;
  Ref owners[kMaxTargets];
  size_t count = owners_of(targets_of(g_nodes[source], single), owners);
  for (size_t i = 0; i < count; ++i)
    change_in(owners[i], 1, source);
  if (count)
    change_live_out(source, static_cast<int>(count));
}

void detach_wide_large() {
  // Deleting moves later entries back, also around the end of the table: look at a place again
  // after it was emptied, and once more from the start.
  for (bool found = true; found;) {
    found = false;
    for (size_t i = 0; i < g_wide_size;) {
      WideEdge edge = g_wide_edges[i];
      if (!edge.source || !(edge.target & kOwner)) {
        ++i;
        continue;
      }
      found = true;
      for (uint32_t left = edge.count; left; --left)
        drop_wide(edge.source, edge.target);
      change_in(edge.target & ~kOwner, -1, edge.source);
      change_live_out(edge.source, -1);
    }
  }
}

void attach_wide_large() {
  // Adding may move the table: collect the pairs first.
  struct Pair {
    Ref source;
    Ref target;
  };
  size_t bytes = g_wide_size * sizeof(Pair);
  auto *pairs = bytes ? reinterpret_cast<Pair *>(os::map_sparse(0, bytes)) : nullptr;
  if (!pairs) {
    g_no_room |= bytes != 0;
    return;
  }
  size_t count = 0;
  for (size_t i = 0; i < g_wide_size; ++i)
    if (g_wide_edges[i].source && g_wide_edges[i].target >= kLargeRefs)
      pairs[count++] = {g_wide_edges[i].source, g_wide_edges[i].target};
  for (size_t i = 0; i < count; ++i) {
    Ref owner = g_owner[pairs[i].target - kLargeRefs];
    if (!owner || add_wide(pairs[i].source, owner | kOwner) != 1)
      continue;
    change_in(owner, 1, pairs[i].source);
    change_live_out(pairs[i].source, 1);
  }
  os::release(reinterpret_cast<char *>(pairs), bytes);
}

void count_vertex(Ref vertex) {
  Node &node = g_nodes[vertex];
  node.flags |= kCounted;
  add_to_cell(node.context, cell_with(node, node.in));
}

void uncount_vertex(Ref vertex) {
  Node &node = g_nodes[vertex];
  if (!(node.flags & kCounted))
    return;
  node.flags = static_cast<uint8_t>(node.flags & ~kCounted);
  take_from_cell(node.context, cell_with(node, node.in));
}

void change_context(Ref vertex, uint32_t context) {
  Node &node = g_nodes[vertex];
  if (node.context == context)
    return;
  if (node.flags & kCounted) {
    unsigned cell = cell_with(node, node.in);
    take_from_cell(node.context, cell);
    add_to_cell(context, cell);
  }
  node.context = context & (kMaxContexts - 1);
}

} // namespace culprit::monitor
