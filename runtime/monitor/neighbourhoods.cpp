// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See neighbourhoods.h.
#include "runtime/monitor/neighbourhoods.h"

#include "runtime/monitor/all_edges.h"
#include "runtime/monitor/blame.h"
#include "runtime/os/memory.h"
#include "runtime/run_file/writer.h"

namespace culprit::monitor {
namespace {

constexpr size_t kMostExamples = 4096;       // a megabyte of records at most
constexpr size_t kTable = 4 * kMostExamples; // places for kinds

struct Neighbour {
  Ref ref;
  uint32_t links;
};

struct Example {
  Ref vertex;
  uint32_t count;
  uint32_t shown[CULPRIT_LINK_OUT + 1]; // by link
  Neighbour of[CULPRIT_MOST_NEIGHBOURS];
};

struct Kind {
  uint64_t name; // 0: a free place
  uint32_t left; // so many more until the middle one
};

struct Examples {
  Example *at;
  size_t count;
  uint32_t fewest; // objects of a kind that has an example
  Kind *kinds;
  uint16_t *numbers; // by reference: position in `at` + 1; 0: no example
};
static_assert(kMostExamples < UINT16_MAX);

unsigned cell_of(Ref ref) { return culprit_cell(g_nodes[ref].in, live_out(g_nodes[ref])); }

size_t kinds_of_at_least(uint32_t objects) {
  size_t kinds = 0;
  for (uint32_t context = 0; context < context_count(); ++context)
    for (uint32_t count : g_rows[context].cells)
      kinds += count >= objects;
  return kinds;
}

// Is this the middle one of its kind?
bool is_example(Examples &examples, Ref ref) {
  uint32_t context = g_nodes[ref].context;
  unsigned cell = cell_of(ref);
  uint32_t objects = g_rows[context].cells[cell];
  if (objects < examples.fewest)
    return false;
  uint64_t name = uint64_t{context} * CULPRIT_CELLS + cell + 1;
  for (size_t i = name * 0x9e3779b97f4a7c15 % kTable;; i = (i + 1) % kTable) {
    Kind &kind = examples.kinds[i];
    if (!kind.name)
      kind = {name, objects / 2 + 1};
    if (kind.name != name)
      continue;
    if (kind.left == 0)
      return false; // it was met
    --kind.left;
    return kind.left == 0;
  }
}

void add_neighbour(Example &example, Ref ref, uint32_t link, bool known_only) {
  for (uint32_t i = 0; i < example.count; ++i)
    if (example.of[i].ref == ref) {
      example.of[i].links |= link;
      return;
    }
  if (known_only || example.shown[link] == CULPRIT_NEIGHBOURS_SHOWN)
    return;
  ++example.shown[link];
  example.of[example.count++] = {ref, link};
}

void walk_edges(Examples &examples, bool known_only) {
  for_each_vertex([&](Ref source) {
    TargetList targets = all_targets(g_nodes[source]);
    for (size_t i = 0; i < targets.count; ++i) {
      Ref target = vertex_of(targets.at[i]);
      if (!target)
        continue;
      if (uint16_t number = examples.numbers[source])
        add_neighbour(examples.at[number - 1], target, CULPRIT_LINK_OUT, known_only);
      if (uint16_t number = examples.numbers[target])
        add_neighbour(examples.at[number - 1], source, CULPRIT_LINK_IN, known_only);
    }
  });
}

Told describe(uint32_t index, const Example &example) {
  const Node &node = g_nodes[example.vertex];
  Told told;
  told.vertex = {index,        node.context, node.in, live_out(node), cell_of(example.vertex),
                 example.count};
  for (uint32_t i = 0; i < example.count; ++i) {
    const Node &other = g_nodes[example.of[i].ref];
    told.neighbours[i] = {other.context, other.in, live_out(other),
                          static_cast<uint16_t>(example.of[i].links),
                          static_cast<uint16_t>(example.of[i].ref == example.vertex)};
  }
  return told;
}

void append(void *, const Told &told) {
  run_file::Part parts[] = {{&told.vertex, sizeof told.vertex},
                            {told.neighbours, told.vertex.count * sizeof told.neighbours[0]}};
  run_file::append(CULPRIT_RECORD_neighbourhood, parts, 2);
}

template <typename T> void release_table(T *table, size_t count) {
  if (table)
    os::release(reinterpret_cast<char *>(table), count * sizeof(T));
}

} // namespace

void tell_neighbourhoods(uint32_t index, Tell tell, void *to) {
  Examples examples{};
  examples.fewest = 1;
  while (kinds_of_at_least(examples.fewest) > kMostExamples)
    examples.fewest *= 2;
  if (os::map_table(examples.at, kMostExamples) && os::map_table(examples.kinds, kTable) &&
      os::map_table(examples.numbers, kRefs)) {
    for_each_vertex([&](Ref ref) {
      if (examples.count == kMostExamples || !is_example(examples, ref))
        return;
      examples.at[examples.count].vertex = ref;
      examples.numbers[ref] = static_cast<uint16_t>(++examples.count);
    });
    walk_edges(examples, false);
    // A neighbour that one direction had no room for may have got in by the other.
    walk_edges(examples, true);
    for (size_t i = 0; i < examples.count; ++i)
      tell(to, describe(index, examples.at[i]));
  }
  release_table(examples.at, kMostExamples);
  release_table(examples.kinds, kTable);
  release_table(examples.numbers, kRefs);
}

void append_neighbourhoods(uint32_t index) {
  if (g_blamed)
    tell_neighbourhoods(index, append, nullptr);
}

} // namespace culprit::monitor
