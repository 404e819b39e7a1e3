// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See graph.h.
#include "runtime/monitor/graph.h"

#include "runtime/heap/thread_cache.h"
#include "runtime/monitor/cards.h"
#include "runtime/monitor/edges.h"
#include "runtime/monitor/large_vertexes.h"
#include "runtime/monitor/scan.h"
#include "runtime/monitor/state.h"
#include "runtime/monitor/unseen_writes.h"
#include "runtime/monitor/wide_edges.h"

namespace culprit::monitor {
namespace {

// Bits of a liveness byte while step 4 looks for sources.
enum : uint8_t { kLives = 1, kGainsSources = 2, kLosesSources = 4 };

KnownSpan *g_spans;
size_t g_span_count;
uint32_t g_known_page = 1;

// Vertexes born or dead since the last point: 64 neighbours each, in address order. (A list of
// references was 8 bytes per vertex at the peak of a program that builds and drops its heap.)
struct Group {
  uint64_t bits;
  Ref first;
};
struct Groups {
  Group *at;
  size_t count;
  uint64_t vertexes;
};
Groups g_born;
Groups g_died;

template <typename Visit> void for_each(const Groups &groups, Visit visit) {
  for (size_t i = 0; i < groups.count; ++i)
    for (uint64_t bits = groups.at[i].bits; bits; bits &= bits - 1)
      visit(groups.at[i].first + static_cast<Ref>(__builtin_ctzll(bits)));
}

void add_group(Groups &groups, Ref first, uint64_t bits) {
  if (!bits)
    return;
  groups.at[groups.count++] = {bits, first};
  groups.vertexes += static_cast<uint64_t>(__builtin_popcountll(bits));
}

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

void begin_vertex(Ref ref, uint8_t flags) {
  Node &node = g_nodes[ref];
  node.flags |= flags;
  node.context = __atomic_load_n(&g_marks[ref], __ATOMIC_RELAXED) & (kMaxContexts - 1);
}

void end_vertex(Ref ref) {
  uncount_vertex(ref);
  Node &node = g_nodes[ref];
  node.flags = static_cast<uint8_t>(node.flags & ~kSource);
}

// One bit per byte of `low_bits`, whose bytes are 0 or 1, lowest byte first.
uint64_t gather(uint64_t low_bits) { return low_bits * 0x0102040810204080 >> 56; }

// Steps of 64 slots; a span's first number is a multiple of 64.
void compare_span(uint32_t page, const heap::SizeClass &kind) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  Ref first = first_ref(page);
  const uint8_t *live = heap::g_arena.live + first - 1;
  const uint8_t *known = g_alive + first - 1;
  auto flags = static_cast<uint8_t>(kind.size > kNarrow ? kSource | kWide : kSource);
  uint64_t born_before = g_born.vertexes;
  uint64_t died_before = g_died.vertexes;
  for (size_t at = 0; at < kind.slots; at += 64) {
    uint64_t born = 0;
    uint64_t died = 0;
    for (size_t eight = 0; eight < 64 && at + eight < kind.slots; eight += 8) {
      uint64_t now =
          __atomic_load_n(reinterpret_cast<const uint64_t *>(live + at + eight), __ATOMIC_RELAXED);
      uint64_t then = *reinterpret_cast<const uint64_t *>(known + at + eight);
      if (now == then)
        continue;
      born |= gather(now & ~then & kOnes) << eight;
      died |= gather(then & ~now & kOnes) << eight;
    }
    if (kind.slots - at < 64) {
      born &= (uint64_t{1} << (kind.slots - at)) - 1;
      died &= (uint64_t{1} << (kind.slots - at)) - 1;
    }
    Ref group = first + static_cast<Ref>(at);
    for (uint64_t bits = born; bits; bits &= bits - 1)
      begin_vertex(group + static_cast<Ref>(__builtin_ctzll(bits)), flags);
    for (uint64_t bits = died; bits; bits &= bits - 1)
      end_vertex(group + static_cast<Ref>(__builtin_ctzll(bits)));
    add_group(g_born, group, born);
    add_group(g_died, group, died);
  }
  uint64_t more = (g_born.vertexes - born_before) - (g_died.vertexes - died_before);
  g_small_objects += more;
  g_small_bytes += more * kind.size;
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
  Ref waiting[2 * kAhead] = {}; // a ring: the last ones seen
  size_t seen = 0;
  auto step = [&](Ref ref) {
    Ref &place = waiting[seen % (2 * kAhead)];
    if (place)
      drop_targets(place);
    place = ref;
    if (ref && g_nodes[ref].out & kListed)
      __builtin_prefetch(&g_pool[g_nodes[ref].out & ~kListed], 1);
    Ref middle = waiting[(seen + kAhead) % (2 * kAhead)];
    if (middle && !(g_nodes[middle].flags & kWide)) {
      Ref single;
      Targets targets = targets_of(g_nodes[middle], single);
      for (size_t t = 0; t < targets.count && t < 8; ++t)
        __builtin_prefetch(&g_nodes[targets.at[t]], 1);
    }
    ++seen;
  };
  for_each(g_died, [&](Ref ref) {
    if (g_nodes[ref].out)
      step(ref);
  });
  for (size_t i = 0; i < 2 * kAhead; ++i)
    step(0);
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
void change_liveness(const Groups &groups, bool lives, UpdateCost &cost) {
  bool several = false;
  for_each(groups, [&](Ref ref) {
    bool search = change_sources(ref, lives ? 1 : -1);
    uint8_t mark = search ? (lives ? kGainsSources : kLosesSources) : 0;
    alive(ref) = static_cast<uint8_t>(mark | (lives ? kLives : 0));
    several |= search;
  });
  if (!several)
    return;
  cost.visited += graph_totals().live_objects;
  pass_over_edges();
  for_each(groups, [&](Ref ref) { alive(ref) = lives ? kLives : 0; });
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

// Threads may be about to write what their newest block begins with, and no barrier follows
// (allocation.h): the next point reads it again.
void mark_newest() {
  heap::AllCaches caches = heap::all_caches();
  for (size_t i = 0; i < caches.count; ++i)
    if (uintptr_t newest = __atomic_load_n(&caches.at[i].newest, __ATOMIC_RELAXED))
      dirty_in_arena(newest);
}

} // namespace

bool create_graph() {
  return create_edge_pool() && create_histograms() && create_large_vertexes() &&
         os::map_table(g_spans, kPages) && os::map_table(g_born.at, kLargeRefs / 64) &&
         os::map_table(g_died.at, kLargeRefs / 64) && os::map_table(g_dirty, kPages);
}

bool update_graph(UpdateCost &cost) {
  if (g_no_room || !heap::ensure_arena())
    return false;
  cost.read_all = is_unmodified() && !mark_unseen_writes(cost.pages);
  size_t dirty = take_dirty(g_dirty, kPages, heap::small_frontier(), heap::large_first(),
                            heap::large_frontier(), cost.cards);
  if (has_threads())
    see_all_stores();
  mark_newest();
  // From here on the marks are only with us: whoever gives up leaves them to the next point.
  if (!look_at_large()) {
    g_marks_lost = true;
    return false;
  }
  uint32_t known = g_known_page;
  learn_spans();
  bool all = wild_words_in(known, g_known_page) || g_marks_lost || cost.read_all;
  g_born.count = g_died.count = 0;
  g_born.vertexes = g_died.vertexes = 0;
  if (g_marks_lost)
    compare_all_spans(cost.slots);
  else
    compare_spans(dirty, cost.slots);
  g_marks_lost = false;
  drop_edges_of_dead();
  compare_large();
  change_liveness(g_born, true, cost);
  if (all)
    scan_everything(cost.scan);
  for (size_t i = 0; i < dirty; ++i)
    scan_page(g_dirty[i], cost.scan);
  scan_resized(cost.scan);
  change_liveness(g_died, false, cost);
  for_each(g_born, count_vertex);
  change_owners(cost);
  count_large();
  cost.born = g_born.vertexes;
  cost.died = g_died.vertexes;
  return !g_no_room;
}

GraphTotals graph_totals() {
  LargeTotals large = large_totals();
  return {g_small_objects + large.blocks, g_small_bytes + large.bytes, g_edges};
}

KnownSpans known_spans() { return {g_spans, g_span_count}; }

} // namespace culprit::monitor
