// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See large_vertexes.h.
#include "runtime/monitor/large_vertexes.h"

#include "runtime/monitor/edges.h"
#include "runtime/monitor/scan.h"

namespace culprit::monitor {
namespace {

// Two lists that change places: as of the last point, as of this one.
heap::LargeLive *g_lists[2];
heap::LargeLive *g_known;
heap::LargeLive *g_now;
size_t g_known_count;
size_t g_now_count;
uint64_t g_seen_changes;
bool g_differs; // while a point is made: its list is not the last one's
constexpr size_t kMaxLarge = kPages / 2;

Ref ref_of(const heap::LargeLive &block) { return kLargeRefs + block.page; }

void update_context(Ref ref) {
  change_context(ref, __atomic_load_n(&g_marks[ref], __ATOMIC_RELAXED) & (kMaxContexts - 1));
}

void give_birth(Ref ref) {
  Node &node = g_nodes[ref];
  node.flags = kSource | kWide;
  node.context = __atomic_load_n(&g_marks[ref], __ATOMIC_RELAXED) & (kMaxContexts - 1);
}

void let_die(Ref ref) {
  drop_targets(ref);
  uncount_vertex(ref);
  g_nodes[ref].flags = 0;
}

bool has_words_to(const heap::LargeLive &block) {
  for (uint32_t page = block.page; page < block.page + block.pages; ++page)
    if (g_page_refs[page])
      return true;
  return false;
}

void set_owner(const heap::LargeLive &block, Ref owner) {
  for (uint32_t page = block.page; page < block.page + block.pages; ++page)
    g_owner[page] = owner;
}

// The same block, which kept its content but not its extent. (Another block began zeroed: what was
// stored into it since is marked.)
bool is_resized(const heap::LargeLive &old, const heap::LargeLive &now) {
  return old.birth == now.birth && old.extent != now.extent;
}

// Calls one of the three for each block of either list.
template <typename Gone, typename New, typename Both>
void compare_lists(Gone gone, New born, Both both) {
  size_t i = 0;
  size_t j = 0;
  while (i < g_known_count || j < g_now_count) {
    if (j == g_now_count || (i < g_known_count && g_known[i].page < g_now[j].page))
      gone(g_known[i++]);
    else if (i == g_known_count || g_now[j].page < g_known[i].page)
      born(g_now[j++]);
    else
      both(g_known[i++], g_now[j++]);
  }
}

} // namespace

bool create_large_vertexes() {
  for (heap::LargeLive *&list : g_lists) {
    list =
        reinterpret_cast<heap::LargeLive *>(os::map_sparse(0, kMaxLarge * sizeof(heap::LargeLive)));
    if (!list)
      return false;
  }
  g_known = g_lists[0];
  g_now = g_lists[1];
  return true;
}

bool look_at_large() {
  uint64_t changes = heap::large_changes();
  g_differs = changes != g_seen_changes;
  if (!g_differs)
    return true;
  g_now_count = heap::list_large(g_now, kMaxLarge);
  if (g_now_count == ~size_t{0}) {
    g_differs = false;
    return false;
  }
  g_seen_changes = changes;
  return true;
}

void compare_large() {
  if (!g_differs)
    return;
  compare_lists([](const heap::LargeLive &old) { let_die(ref_of(old)); },
                [](const heap::LargeLive &born) { give_birth(ref_of(born)); },
                [](const heap::LargeLive &old, const heap::LargeLive &now) {
                  if (old.extent != now.extent) // so is another block's
                    drop_targets(ref_of(now));
                  update_context(ref_of(now));
                });
}

void scan_resized(ScanCost &cost) {
  if (!g_differs)
    return;
  compare_lists([](const heap::LargeLive &) {}, [](const heap::LargeLive &) {},
                [&](const heap::LargeLive &old, const heap::LargeLive &now) {
                  if (is_resized(old, now))
                    scan_wide(ref_of(now),
                              reinterpret_cast<uintptr_t>(heap::page_address(now.page)),
                              size_t{now.pages} << heap::kPageShift, 0,
                              size_t{now.pages} << heap::kPageShift, cost);
                });
}

bool owners_will_change() {
  if (!g_differs)
    return false;
  bool wanted = false;
  compare_lists([&](const heap::LargeLive &old) { wanted |= has_words_to(old); },
                [&](const heap::LargeLive &born) { wanted |= has_words_to(born); },
                [&](const heap::LargeLive &old, const heap::LargeLive &now) {
                  if (old.pages != now.pages)
                    wanted |= has_words_to(old.pages > now.pages ? old : now);
                });
  if (!wanted)
    switch_owners();
  return wanted;
}

void switch_owners() {
  for (size_t i = 0; i < g_known_count; ++i)
    set_owner(g_known[i], 0);
  for (size_t i = 0; i < g_now_count; ++i)
    set_owner(g_now[i], ref_of(g_now[i]));
}

void count_large() {
  if (!g_differs)
    return;
  for (size_t i = 0; i < g_now_count; ++i)
    if (!(g_nodes[ref_of(g_now[i])].flags & kCounted))
      count_vertex(ref_of(g_now[i]));
  heap::LargeLive *old = g_known;
  g_known = g_now;
  g_known_count = g_now_count;
  g_now = old;
  g_differs = false;
}

LargeTotals large_totals() {
  LargeTotals totals{g_known_count, 0};
  for (size_t i = 0; i < g_known_count; ++i)
    totals.bytes += size_t{g_known[i].pages} << heap::kPageShift;
  return totals;
}

KnownLarge known_large() {
  return g_differs ? KnownLarge{g_now, g_now_count} : KnownLarge{g_known, g_known_count};
}

} // namespace culprit::monitor
