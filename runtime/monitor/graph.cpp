// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See graph.h.
#include "runtime/monitor/graph.h"

#include "runtime/monitor/cards.h"
#include "runtime/monitor/edges.h"
#include "runtime/monitor/large_vertexes.h"
#include "runtime/monitor/scan.h"
#include "runtime/monitor/state.h"
#include "runtime/monitor/wide_edges.h"

namespace culprit::monitor {
namespace {

// Bits of a liveness byte while step 4 looks for sources.
enum : uint8_t { kLives = 1, kGainsSources = 2, kLosesSources = 4 };

KnownSpan *g_spans;
size_t g_span_count;
uint32_t g_known_page = 1;
Ref *g_born;
size_t g_born_count;
Ref *g_died;
size_t g_died_count;
DirtyPage *g_dirty;
bool g_marks_lost; // the last update could not be finished
uint64_t g_small_objects;
uint64_t g_small_bytes;

void learn_spans() {
  uint32_t end = heap::small_frontier();
  while (g_known_page < end) {
    uint64_t entry = __atomic_load_n(&heap::g_arena.page_table[g_known_page], __ATOMIC_RELAXED);
    unsigned size_class = heap::entry_class(entry);
    const heap::SizeClass &kind = heap::kClasses.of[size_class];
    if (heap::entry_number(entry) + kind.slots + 1 < kLargeRefs)
      g_spans[g_span_count++] = {g_known_page, size_class};
    g_known_page += kind.span_pages;
  }
}

void note_difference(Ref ref, size_t size, bool lives) {
  Node &node = g_nodes[ref];
  if (lives) {
    node.flags |= size > kNarrow ? kSource | kWide : kSource;
    node.context = __atomic_load_n(&g_marks[ref], __ATOMIC_RELAXED) & (kMaxContexts - 1);
    g_born[g_born_count++] = ref;
    ++g_small_objects;
    g_small_bytes += size;
  } else {
    uncount_vertex(ref);
    node.flags = static_cast<uint8_t>(node.flags & ~kSource);
    g_died[g_died_count++] = ref;
    --g_small_objects;
    g_small_bytes -= size;
  }
}

// Steps of eight bytes; a span's first number is a multiple of 64.
void compare_span(uint32_t page, const heap::SizeClass &kind) {
  Ref first = first_ref(page);
  const uint8_t *live = heap::g_arena.live + first - 1;
  const uint8_t *known = g_alive + first - 1;
  for (size_t at = 0; at < kind.slots; at += 8) {
    uint64_t now = __atomic_load_n(reinterpret_cast<const uint64_t *>(live + at), __ATOMIC_RELAXED);
    uint64_t then = *reinterpret_cast<const uint64_t *>(known + at);
    uint64_t different = now ^ then;
    while (different) {
      auto byte = static_cast<size_t>(__builtin_ctzll(different)) / 8;
      different &= ~(uint64_t{0xff} << (byte * 8));
      if (at + byte < kind.slots)
        note_difference(first + static_cast<Ref>(at + byte), kind.size, now >> (byte * 8) & 1);
    }
  }
}

// Of the pages with marks: every birth marks a card, every death the page.
void compare_spans(size_t dirty, uint64_t &slots) {
  uint32_t last = 0;
  for (size_t i = 0; i < dirty; ++i) {
    uint64_t entry = __atomic_load_n(&heap::g_arena.page_table[g_dirty[i].page], __ATOMIC_RELAXED);
    uint32_t page = g_dirty[i].page - heap::entry_back(entry);
    unsigned size_class = heap::entry_class(entry);
    if (!size_class || size_class == heap::kLargeClass || page == last || page >= g_known_page)
      continue;
    last = page;
    const heap::SizeClass &kind = heap::kClasses.of[size_class];
    if (heap::entry_number(entry) + kind.slots + 1 >= kLargeRefs)
      continue;
    compare_span(page, kind);
    slots += kind.slots;
  }
}

void compare_all_spans(uint64_t &slots) {
  for (size_t i = 0; i < g_span_count; ++i) {
    const heap::SizeClass &kind = heap::kClasses.of[g_spans[i].size_class];
    compare_span(g_spans[i].page, kind);
    slots += kind.slots;
  }
}

// After all of them were taken from the histograms: a target that died, too, has no cell to leave.
// Ahead of the loop, what it will need is asked for: the old list, then the targets.
void drop_edges_of_dead() {
  constexpr size_t kAhead = 16;
  for (size_t i = 0; i < g_died_count + 2 * kAhead; ++i) {
    if (i < g_died_count) {
      uint32_t out = g_nodes[g_died[i]].out;
      if (out & kListed)
        __builtin_prefetch(&g_pool[out & ~kListed], 1);
    }
    if (i >= kAhead && i - kAhead < g_died_count && !(g_nodes[g_died[i - kAhead]].flags & kWide)) {
      Ref single;
      Targets targets = targets_of(g_nodes[g_died[i - kAhead]], single);
      for (size_t t = 0; t < targets.count && t < 8; ++t)
        __builtin_prefetch(&g_nodes[targets.at[t]], 1);
    }
    if (i >= 2 * kAhead)
      drop_targets(g_died[i - 2 * kAhead]);
  }
}

// Step 4 for one vertex: its one source at once, several by the pass (true).
bool change_sources(Ref ref, int by) {
  const Node &node = g_nodes[ref];
  if (!node.in)
    return false;
  if (node.in > 1)
    return true;
  change_live_out(node.in_xor, by);
  return false;
}

int change_by(uint8_t byte) {
  return (byte & kGainsSources ? 1 : 0) - (byte & kLosesSources ? 1 : 0);
}

template <typename Visit> void for_each_narrow_source(Visit visit) {
  for (size_t i = 0; i < g_span_count; ++i) {
    const heap::SizeClass &kind = heap::kClasses.of[g_spans[i].size_class];
    if (kind.size > kNarrow)
      continue;
    Ref first = first_ref(g_spans[i].page);
    for (Ref ref = first; ref < first + kind.slots; ++ref)
      if (g_nodes[ref].out)
        visit(ref);
  }
}

void pass_over_edges() {
  for_each_narrow_source([](Ref ref) {
    Ref single;
    Targets targets = targets_of(g_nodes[ref], single);
    int by = 0;
    for (size_t i = 0; i < targets.count && targets.at[i] < kLargeRefs; ++i)
      by += change_by(alive(targets.at[i]));
    if (by)
      change_live_out(ref, by);
  });
  for (size_t i = 0; i < g_wide_size; ++i) {
    const WideEdge &edge = g_wide_edges[i];
    if (edge.source && edge.target < kLargeRefs)
      if (int by = change_by(alive(edge.target)))
        change_live_out(edge.source, by);
  }
}

// Gives the vertexes their new liveness, and their sources the out-degree that follows.
void change_liveness(const Ref *refs, size_t count, bool lives, UpdateCost &cost) {
  bool several = false;
  for (size_t i = 0; i < count; ++i) {
    bool search = change_sources(refs[i], lives ? 1 : -1);
    uint8_t mark = search ? (lives ? kGainsSources : kLosesSources) : 0;
    alive(refs[i]) = static_cast<uint8_t>(mark | (lives ? kLives : 0));
    several |= search;
  }
  if (!several)
    return;
  cost.visited += graph_totals().live_objects;
  pass_over_edges();
  for (size_t i = 0; i < count; ++i)
    alive(refs[i]) = lives ? kLives : 0;
}

void change_owners(UpdateCost &cost) {
  if (!owners_will_change())
    return;
  cost.visited += graph_totals().live_objects;
  for_each_narrow_source(detach_large);
  detach_wide_large();
  switch_owners();
  for_each_narrow_source(attach_large);
  attach_wide_large();
}

template <typename T> bool map_list(T *&list, size_t count) {
  list = reinterpret_cast<T *>(os::map_sparse(0, count * sizeof(T)));
  return list != nullptr;
}

} // namespace

bool create_graph() {
  return create_vertexes() && create_edge_pool() && create_histograms() && create_contexts() &&
         create_large_vertexes() && map_list(g_spans, kPages) && map_list(g_born, kLargeRefs) &&
         map_list(g_died, kLargeRefs) && map_list(g_dirty, kPages);
}

bool update_graph(UpdateCost &cost) {
  if (g_no_room || !heap::ensure_arena())
    return false;
  size_t dirty = take_dirty(g_dirty, kPages, heap::small_frontier(), heap::large_first(),
                            heap::large_frontier(), cost.cards);
  if (has_threads())
    see_all_stores();
  // From here on the marks are only with us: whoever gives up leaves them to the next point.
  if (!look_at_large()) {
    g_marks_lost = true;
    return false;
  }
  uint32_t known = g_known_page;
  learn_spans();
  bool all = wild_words_in(known, g_known_page) || g_marks_lost;
  g_born_count = 0;
  g_died_count = 0;
  if (g_marks_lost)
    compare_all_spans(cost.slots);
  else
    compare_spans(dirty, cost.slots);
  g_marks_lost = false;
  drop_edges_of_dead();
  compare_large();
  change_liveness(g_born, g_born_count, true, cost);
  if (all)
    scan_everything(cost.words);
  for (size_t i = 0; i < dirty; ++i)
    scan_page(g_dirty[i], cost.words);
  scan_resized(cost.words);
  change_liveness(g_died, g_died_count, false, cost);
  for (size_t i = 0; i < g_born_count; ++i)
    count_vertex(g_born[i]);
  change_owners(cost);
  count_large();
  cost.born = g_born_count;
  cost.died = g_died_count;
  return !g_no_room;
}

GraphTotals graph_totals() {
  LargeTotals large = large_totals();
  return {g_small_objects + large.blocks, g_small_bytes + large.bytes, g_edges};
}

KnownSpans known_spans() { return {g_spans, g_span_count}; }

} // namespace culprit::monitor
