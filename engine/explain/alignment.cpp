// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See alignment.h.
#include "engine/explain/alignment.h"

#include <span>
#include <unordered_map>

namespace culprit::explain {
namespace {

std::vector<size_t> points_of(const Trace &trace) {
  std::vector<size_t> points;
  for (size_t i = 0; i < trace.size(); ++i)
    if (is_point(trace[i]))
      points.push_back(i);
  return points;
}

// Pairs of points that follow each other in one order in both runs. A pair that would go back in
// the second run (code that jumps into the midst of things) is left out.
std::vector<Alignment::Pair> pair_up(const Trace &a, const std::vector<size_t> &points_a,
                                     const Trace &b, const std::vector<size_t> &points_b) {
  std::vector<Alignment::Pair> pairs;
  // Long runs go the same way for long: that needs no table.
  size_t same = 0;
  while (same < points_a.size() && same < points_b.size() &&
         a[points_a[same]].index == b[points_b[same]].index) {
    pairs.push_back({points_a[same], points_b[same]});
    ++same;
  }
  std::unordered_map<uint64_t, size_t> where;
  for (const size_t position : std::span(points_b).subspan(same))
    where.try_emplace(b[position].index, position);
  for (const size_t position : std::span(points_a).subspan(same)) {
    const auto found = where.find(a[position].index);
    if (found != where.end() && (pairs.empty() || found->second > pairs.back().b))
      pairs.push_back({position, found->second});
  }
  return pairs;
}

void compare_accesses(const Trace &a, const Trace &b, const Alignment::Pair &pair,
                      Alignment &alignment) {
  for (size_t i = 1; pair.a + i < a.size() && pair.b + i < b.size(); ++i) {
    const culprit_trace_event &x = a[pair.a + i];
    const culprit_trace_event &y = b[pair.b + i];
    if (is_point(x) || x.kind != y.kind || x.size != y.size)
      return;
    const auto is = [&](auto... kinds) {
      return ((x.region == kinds || y.region == kinds) || ...);
    };
    if (x.kind == CULPRIT_TRACE_KEEP)
      continue;
    const bool heap = is(CULPRIT_REGION_BLOCK, CULPRIT_REGION_NATIVE);
    if (!heap && !is(CULPRIT_REGION_LOCAL))
      continue;
    Share &by_index = heap ? alignment.heap_by_index : alignment.stack_by_index;
    Share &by_address = heap ? alignment.heap_by_address : alignment.stack_by_address;
    ++by_index.whole;
    ++by_address.whole;
    by_index.part += x.index == y.index && x.offset == y.offset ? 1 : 0;
    by_address.part += x.address == y.address ? 1 : 0;
  }
}

} // namespace

Alignment align(const Trace &a, const Trace &b) {
  const std::vector<size_t> points_a = points_of(a);
  const std::vector<size_t> points_b = points_of(b);
  Alignment alignment;
  alignment.points = pair_up(a, points_a, b, points_b);
  while (alignment.common < alignment.points.size() &&
         alignment.points[alignment.common] ==
             Alignment::Pair{points_a[alignment.common], points_b[alignment.common]})
    ++alignment.common;
  alignment.control_flow = {.part = 2 * alignment.points.size(),
                            .whole = points_a.size() + points_b.size()};
  for (const Alignment::Pair &pair : alignment.points)
    compare_accesses(a, b, pair, alignment);
  return alignment;
}

} // namespace culprit::explain
