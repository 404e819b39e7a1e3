// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See index_paths.h.
#include "runtime/explain/index_paths.h"

#include "runtime/explain/file.h"
#include "runtime/explain/index_rows.h"
#include "runtime/explain/index_tree.h"
#include "runtime/heap/allocate.h"
#include "runtime/start/options.h"

namespace culprit::explain {

bool g_tree;

namespace {

File g_file;
culprit_index_summary g_own_summary;
culprit_index_summary *g_summary = &g_own_summary; // kept up to date: a process may die anyhow

constexpr uint64_t kSite = uint64_t{1} << 63; // keeps it apart from the number of a happening

uint64_t label_of(const culprit_index_frame &frame) {
  return kSite | uint64_t{frame.site} << 32 | static_cast<uint32_t>(frame.entered);
}

bool is_outermost(const culprit_index_frame &frame) { return !frame.caller->caller; }

// The node of the frame's caller; 0: nobody knows it.
uint32_t node_above(const culprit_index_frame &frame) {
  if (is_outermost(frame))
    return kTreeRoot;
  return frame.index ? node_of(frame.index) : 0;
}

// Of the site where the frame stands; 0: its caller's is not known, or there is no memory.
uint32_t node_at(const culprit_index_frame &frame) {
  uint32_t above = node_above(frame);
  uint32_t node = above ? tree_child(above, label_of(frame)) : 0;
  const uint64_t *counters = counters_of(frame);
  for (uint32_t i = 0; node && i < g_index_rows[frame.site].counters; ++i)
    node = tree_child(node, counters[i]);
  if (node && !tree_node(node).index)
    set_tree_index(node, index_at(frame, index_of_frame(frame, tree_node(above).index)));
  return node;
}

// Up to the first frame that knows its caller's node, and down again. A recursion may be deep, so
// the way down is kept in the frames themselves.
void find_nodes(culprit_index_frame &innermost) {
  culprit_index_frame *below = nullptr;
  culprit_index_frame *frame = &innermost;
  while (!node_above(*frame)) {
    frame->index = reinterpret_cast<uint64_t>(below);
    below = frame;
    frame = frame->caller;
  }
  while (below) {
    auto *next = reinterpret_cast<culprit_index_frame *>(below->index);
    uint32_t node = node_at(*frame);
    below->index = node ? name_of(node) : 0;
    frame = below;
    below = next;
  }
}

} // namespace

void begin_tree(const culprit_index_extent &extent) {
  if (!start::options().tree)
    return;
  if (!create_tree())
    heap::stop_with("culprit: address-space limit too small for an index tree\n");
  const char *path = start::options().index_summary.text;
  if (path[0] && g_file.create(path, sizeof *g_summary))
    if (void *room = g_file.append(sizeof *g_summary))
      g_summary = static_cast<culprit_index_summary *>(room);
  g_summary->extent = extent;
  g_tree = true;
}

uint32_t plant_block(culprit_index_frame &frame, size_t size) {
  os::Hold hold(g_tree_lock);
  uint32_t happened = frame.happened++;
  find_nodes(frame);
  uint32_t node = node_at(frame);
  if (node && happened)
    node = tree_child(node, happened);
  if (node)
    use_node(node);
  TreeCounts counts = tree_counts();
  *g_summary = {g_summary->extent, g_summary->blocks + 1, g_summary->bytes + size,
                counts.most_nodes, counts.deepest};
  return node;
}

void fell_block(uint32_t node) {
  os::Hold hold(g_tree_lock);
  release_node(node);
}

uint64_t planted_index(uint32_t node, size_t size) {
  const TreeNode &last = tree_node(node);
  return last.index ? index_of_block(last.index, 0, size)
                    : index_of_block(tree_node(last.parent).index, last.label, size);
}

uint64_t spell_out(uint32_t node, uint64_t *labels, uint64_t most) {
  os::Hold hold(g_tree_lock);
  uint64_t depth = tree_node(node).depth;
  for (uint64_t at = depth; at > 0; --at, node = tree_node(node).parent)
    if (at <= most)
      labels[at - 1] = tree_node(node).label;
  return depth;
}

void reset_tree_lock() {
  g_tree_lock.reset();
  g_summary = &g_own_summary; // the file is the parent's
}

} // namespace culprit::explain
