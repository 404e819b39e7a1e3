// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See components.h. The tables are indexed by reference and backed where there are vertexes. The
// two methods use one table, one after the other: at its end a count may need 20 bytes per vertex.
#include "runtime/monitor/components.h"

#include "runtime/monitor/all_edges.h"

namespace culprit::monitor {
namespace {

// A vertex and an edge cost some 30 ns each, a unit of work some 5, and one part in a hundred of
// the time may go here.
constexpr uint64_t kWorkPerVisit = 600;
constexpr uint64_t kWorkPerCount = 30'000; // the tables are mapped and given back each time

union Vertex {
  struct {
    uint32_t parent;
    uint32_t size;
  } weak;
  struct {
    uint32_t index; // order of discovery from 1; 0: not yet
    uint32_t low;
  } strong;
};

// A step of Tarjan's method: the vertex and how many of its targets were visited.
struct Step {
  Ref vertex;
  uint32_t next;
};

Vertex *g_table;   // by reference
uint32_t *g_stack; // vertexes whose strong component is not complete
Step *g_steps;
constexpr size_t kTableBytes = kRefs * sizeof(Vertex);
constexpr size_t kStackBytes = kRefs * sizeof(uint32_t);
constexpr size_t kStepBytes = kRefs * sizeof(Step);

Ref root_of(Ref ref) {
  while (g_table[ref].weak.parent != ref) {
    g_table[ref].weak.parent = g_table[g_table[ref].weak.parent].weak.parent;
    ref = g_table[ref].weak.parent;
  }
  return ref;
}

void unite(Ref a, Ref b) {
  a = root_of(a);
  b = root_of(b);
  if (a == b)
    return;
  if (g_table[a].weak.size < g_table[b].weak.size) {
    Ref other = a;
    a = b;
    b = other;
  }
  g_table[b].weak.parent = a;
  g_table[a].weak.size += g_table[b].weak.size;
}

struct Strong {
  uint32_t order;
  size_t stack;
  size_t steps;

  void enter(Ref ref) {
    g_table[ref].strong.index = g_table[ref].strong.low = ++order;
    g_stack[stack++] = ref;
    g_steps[steps++] = {ref, 0};
  }
};

void complete(Strong &state, Ref root, Components &result) {
  uint64_t size = 0;
  Ref member;
  do {
    member = g_stack[--state.stack];
    g_table[member].strong.low = ~0u; // no longer on the stack
    ++size;
  } while (member != root);
  ++result.strong_count;
  if (size > result.largest_strong)
    result.largest_strong = size;
}

void visit_strong(Strong &state, Ref start, Components &result) {
  state.enter(start);
  while (state.steps) {
    Step &step = g_steps[state.steps - 1];
    Vertex &vertex = g_table[step.vertex];
    TargetList targets = all_targets(g_nodes[step.vertex]);
    Ref next = 0;
    while (step.next < targets.count && !next) {
      Ref target = vertex_of(targets.at[step.next++]);
      if (!target)
        continue;
      const Vertex &seen = g_table[target];
      if (!seen.strong.index)
        next = target;
      else if (seen.strong.low != ~0u && seen.strong.index < vertex.strong.low)
        vertex.strong.low = seen.strong.index;
    }
    if (next) {
      state.enter(next);
      continue;
    }
    Ref done = step.vertex;
    uint32_t low = vertex.strong.low;
    --state.steps;
    if (low == vertex.strong.index)
      complete(state, done, result);
    else if (g_table[g_steps[state.steps - 1].vertex].strong.low > low)
      g_table[g_steps[state.steps - 1].vertex].strong.low = low;
  }
}

template <typename T> bool map_table(T *&table, size_t bytes) {
  table = reinterpret_cast<T *>(os::map_sparse(0, bytes));
  return table != nullptr;
}

template <typename T> void release_table(T *&table, size_t bytes) {
  if (table)
    os::release(reinterpret_cast<char *>(table), bytes);
  table = nullptr;
}

} // namespace

bool count_components(Components &result) {
  result = {};
  bool mapped = map_table(g_table, kTableBytes) && map_table(g_stack, kStackBytes) &&
                map_table(g_steps, kStepBytes);
  if (mapped) {
    for_each_vertex([](Ref ref) { g_table[ref].weak = {ref, 1}; });
    for_each_vertex([](Ref ref) {
      TargetList targets = all_targets(g_nodes[ref]);
      for (size_t i = 0; i < targets.count; ++i)
        if (Ref target = vertex_of(targets.at[i]))
          unite(ref, target);
    });
    for_each_vertex([&](Ref ref) {
      if (g_table[ref].weak.parent != ref)
        return;
      ++result.count;
      if (g_table[ref].weak.size > result.largest)
        result.largest = g_table[ref].weak.size;
    });
    for_each_vertex([](Ref ref) { g_table[ref].strong = {0, 0}; });
    Strong state{};
    for_each_vertex([&](Ref ref) {
      if (!g_table[ref].strong.index)
        visit_strong(state, ref, result);
    });
  }
  release_table(g_table, kTableBytes);
  release_table(g_stack, kStackBytes);
  release_table(g_steps, kStepBytes);
  return mapped;
}

uint64_t work_for_components() {
  GraphTotals totals = graph_totals();
  return kWorkPerCount + (totals.live_objects + totals.edges) * kWorkPerVisit;
}

} // namespace culprit::monitor
