// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See wide_edges.h.
#include "runtime/monitor/wide_edges.h"

namespace culprit::monitor {

WideEdge *g_wide_edges;
size_t g_wide_size;

namespace {

size_t g_used;
constexpr size_t kFirstSize = 1024;

size_t home(Ref source, uint32_t target) {
  uint64_t key = uint64_t{source} << 32 | target;
  key *= 0x9e3779b97f4a7c15;
  return (key >> 32 ^ key >> 15) & (g_wide_size - 1);
}

size_t find(Ref source, uint32_t target) {
  size_t at = home(source, target);
  while (g_wide_edges[at].source &&
         (g_wide_edges[at].source != source || g_wide_edges[at].target != target))
    at = (at + 1) & (g_wide_size - 1);
  return at;
}

bool grow() {
  WideEdge *old = g_wide_edges;
  size_t old_size = g_wide_size;
  size_t size = old_size ? old_size * 2 : kFirstSize;
  char *memory = os::map_sparse(0, size * sizeof(WideEdge));
  if (!memory)
    return false;
  g_wide_edges = reinterpret_cast<WideEdge *>(memory);
  g_wide_size = size;
  for (size_t i = 0; i < old_size; ++i)
    if (old[i].source)
      g_wide_edges[find(old[i].source, old[i].target)] = old[i];
  if (old)
    os::release(reinterpret_cast<char *>(old), old_size * sizeof(WideEdge));
  return true;
}

} // namespace

uint32_t add_wide(Ref source, uint32_t target) {
  if (g_used * 8 >= g_wide_size * 5 && !grow())
    return ~0u;
  WideEdge &edge = g_wide_edges[find(source, target)];
  if (!edge.source) {
    edge = {source, target, 0};
    ++g_used;
  }
  return ++edge.count;
}

uint32_t drop_wide(Ref source, uint32_t target) {
  size_t at = find(source, target);
  if (--g_wide_edges[at].count)
    return g_wide_edges[at].count;
  --g_used;
  for (size_t next = at;;) {
    next = (next + 1) & (g_wide_size - 1);
    if (!g_wide_edges[next].source)
      break;
    size_t wanted = home(g_wide_edges[next].source, g_wide_edges[next].target);
    // Move back unless its home lies behind the hole.
    if (((next - wanted) & (g_wide_size - 1)) < ((next - at) & (g_wide_size - 1)))
      continue;
    g_wide_edges[at] = g_wide_edges[next];
    at = next;
  }
  g_wide_edges[at] = {};
  return 0;
}

} // namespace culprit::monitor
