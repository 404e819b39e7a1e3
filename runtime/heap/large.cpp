// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See large.h. The first and the last page of every range carry its state (boundary tags, outside
// the arena), so merging looks at two neighbours and never searches. Pages inside a range may hold
// stale nodes: nobody asks them, because a neighbour of a range is always the first or last page of
// another.
#include "runtime/heap/large.h"

namespace culprit::heap {
namespace {

enum class State : uint8_t { inside, live, free, free_tail };

struct Node {
  uint32_t pages;
  uint32_t dirty; // free ranges: pages that may hold memory; 0 means that all of it reads as zero
  uint32_t next;  // free ranges: neighbours in the bin
  uint32_t previous;
  uint32_t newer; // dirty free ranges: neighbours in order of age
  uint32_t older;
  uint32_t birth; // of the block that last began here; a stamp
  uint32_t extent;
  State state;
};

constexpr unsigned kExactBins = 32;
constexpr unsigned kBins = kExactBins + 8 * 20;
constexpr unsigned kBinWords = kBins / 64;
constexpr size_t kKeepBytes = size_t{64} << 20;
constexpr size_t kPurgeAtOnce = size_t{32} << 20; // a freed block of this size is not kept
constexpr unsigned kSearchMax =
    16; // ranges tried in the block's own bin before the next one is taken

os::Lock g_lock;
os::Range g_memory;
os::Range g_nodes;
uint32_t g_first; // page numbers
uint32_t g_frontier;
uint32_t g_end;
uint32_t g_bins[kBins];
uint64_t g_bin_used[kBinWords];
uint32_t g_newest;
uint32_t g_oldest;
uint64_t g_dirty_pages;
uint64_t g_live_pages;
uint64_t g_peak_pages;
uint64_t g_blocks;
uint64_t g_changes;
uint32_t g_stamps;

Node &node(uint32_t page) { return reinterpret_cast<Node *>(g_nodes.start)[page - g_first]; }

// Atomically, as large_pages() reads without the lock.
void set_state(Node &range, State state) { __atomic_store(&range.state, &state, __ATOMIC_RELAXED); }

unsigned bin_of(uint32_t pages) {
  if (pages < kExactBins)
    return pages;
  unsigned log = 31 - static_cast<unsigned>(__builtin_clz(pages));
  return kExactBins + (log - 5) * 8 + (pages >> (log - 3) & 7);
}

void insert_free(uint32_t page, uint32_t pages, uint32_t dirty) {
  Node &range = node(page);
  unsigned bin = bin_of(pages);
  __atomic_store_n(&range.pages, pages, __ATOMIC_RELAXED);
  range.dirty = dirty;
  range.next = g_bins[bin];
  range.previous = 0;
  if (g_bins[bin])
    node(g_bins[bin]).previous = page;
  g_bins[bin] = page;
  g_bin_used[bin / 64] |= uint64_t{1} << (bin % 64);
  range.newer = 0;
  range.older = 0;
  if (dirty) {
    range.older = g_newest;
    (g_newest ? node(g_newest).newer : g_oldest) = page;
    g_newest = page;
    g_dirty_pages += dirty;
  }
  Node &last = node(page + pages - 1);
  __atomic_store_n(&last.pages, pages, __ATOMIC_RELAXED);
  set_state(last, State::free_tail);
  set_state(range, State::free); // after the tail: they are one node when pages == 1
}

void forget_age(Node &range) {
  (range.newer ? node(range.newer).older : g_newest) = range.older;
  (range.older ? node(range.older).newer : g_oldest) = range.newer;
  g_dirty_pages -= range.dirty;
  range.dirty = 0;
}

void remove_free(uint32_t page) {
  Node &range = node(page);
  unsigned bin = bin_of(range.pages);
  if (range.previous)
    node(range.previous).next = range.next;
  else
    g_bins[bin] = range.next;
  if (range.next)
    node(range.next).previous = range.previous;
  if (!g_bins[bin])
    g_bin_used[bin / 64] &= ~(uint64_t{1} << (bin % 64));
  if (range.dirty)
    forget_age(range);
}

void set_live(uint32_t page, uint32_t pages) {
  set_state(node(page + pages - 1), State::inside);
  __atomic_store_n(&node(page).pages, pages, __ATOMIC_RELAXED);
  set_state(node(page), State::live);
}

uint32_t find_free(uint32_t pages) {
  unsigned bin = bin_of(pages);
  unsigned tries = 0;
  for (uint32_t page = g_bins[bin]; page && tries < kSearchMax; page = node(page).next, ++tries)
    if (node(page).pages >= pages)
      return page;
  ++bin;
  for (unsigned word = bin / 64; word < kBinWords; ++word) {
    uint64_t used = g_bin_used[word];
    if (word == bin / 64)
      used &= ~uint64_t{0} << (bin % 64);
    if (used)
      return g_bins[word * 64 + static_cast<unsigned>(__builtin_ctzll(used))];
  }
  return 0;
}

bool grow_to(uint32_t frontier) {
  if (frontier > g_end || !g_memory.grow(size_t{frontier - g_first} << kPageShift, 0) ||
      !g_nodes.grow((frontier - g_first) * sizeof(Node), size_t{64} * 1024))
    return false;
  __atomic_store_n(&g_frontier, frontier, __ATOMIC_RELEASE);
  return true;
}

bool is_free_start(uint32_t page) { return page < g_frontier && node(page).state == State::free; }

// The free range that ends just before `page`; 0 if there is none.
uint32_t free_before(uint32_t page) {
  if (page == g_first)
    return 0;
  const Node &last = node(page - 1);
  if (last.state == State::free)
    return page - 1;
  return last.state == State::free_tail ? page - last.pages : 0;
}

uint32_t rest_dirty(uint32_t dirty, uint32_t pages) { return dirty < pages ? dirty : pages; }

void add_free(uint32_t page, uint32_t pages, uint32_t dirty) {
  if (is_free_start(page + pages)) {
    uint32_t after = page + pages;
    pages += node(after).pages;
    dirty += node(after).dirty;
    remove_free(after);
  }
  if (uint32_t before = free_before(page)) {
    pages += node(before).pages;
    dirty += node(before).dirty;
    remove_free(before);
    page = before;
  }
  insert_free(page, pages, dirty);
}

void purge_old() {
  uint64_t keep = kKeepBytes >> kPageShift;
  if (g_live_pages / 8 > keep)
    keep = g_live_pages / 8;
  if (g_dirty_pages <= keep)
    return;
  while (g_oldest && g_dirty_pages > keep - keep / 4) {
    uint32_t page = g_oldest;
    os::purge(page_address(page), size_t{node(page).pages} << kPageShift);
    forget_age(node(page));
  }
}

void count_change() { __atomic_store_n(&g_changes, g_changes + 1, __ATOMIC_RELEASE); }

void stamp_birth(uint32_t page) { node(page).birth = node(page).extent = ++g_stamps; }
void stamp_extent(uint32_t page) { node(page).extent = ++g_stamps; }

void count_live(uint32_t pages) {
  g_live_pages += pages;
  if (g_live_pages > g_peak_pages)
    g_peak_pages = g_live_pages;
}

// A range of at least `pages`, no longer free; its length and dirt in the out parameters.
uint32_t claim(uint32_t pages, uint32_t &length, uint32_t &dirty) {
  if (uint32_t page = find_free(pages)) {
    length = node(page).pages;
    dirty = node(page).dirty;
    remove_free(page);
    return page;
  }
  uint32_t page = g_frontier;
  dirty = 0;
  uint32_t before = free_before(page);
  if (before)
    page = before;
  if (!grow_to(page + pages))
    return 0;
  if (before) {
    dirty = node(before).dirty;
    remove_free(before);
  }
  length = pages;
  return page;
}

} // namespace

LargeBlock take_large(size_t bytes, size_t alignment) {
  size_t wanted = (bytes + kPageSize - 1) >> kPageShift;
  size_t slack = alignment > kPageSize ? (alignment >> kPageShift) - 1 : 0;
  if (!ensure_arena() || wanted + slack >= g_end - g_first)
    return {nullptr, false};
  os::Hold hold(g_lock);
  auto pages = static_cast<uint32_t>(wanted);
  uint32_t length = 0;
  uint32_t dirty = 0;
  uint32_t page = claim(static_cast<uint32_t>(wanted + slack), length, dirty);
  if (!page)
    return {nullptr, false};
  if (slack) {
    auto address = reinterpret_cast<uintptr_t>(page_address(page));
    uintptr_t aligned = (address + alignment - 1) & ~(alignment - 1);
    auto skipped = static_cast<uint32_t>((aligned - address) >> kPageShift);
    if (skipped) {
      set_live(page, skipped); // so that the rest does not merge with it while both are cut
      set_live(page + skipped, length - skipped);
      insert_free(page, skipped, rest_dirty(dirty, skipped));
      page += skipped;
      length -= skipped;
    }
  }
  set_live(page, pages);
  if (length > pages)
    insert_free(page + pages, length - pages, rest_dirty(dirty, length - pages));
  enter_large(page, page, page + pages);
  count_live(pages);
  ++g_blocks;
  stamp_birth(page);
  count_change();
  return {page_address(page), dirty == 0};
}

uint32_t large_pages(uint32_t first_page) {
  // Without the lock: the caller's block does not change under it, and any other answer is only
  // "not live".
  if (first_page < g_first || first_page >= __atomic_load_n(&g_frontier, __ATOMIC_RELAXED))
    return 0;
  const Node &block = node(first_page);
  State state;
  __atomic_load(&block.state, &state, __ATOMIC_RELAXED);
  return state == State::live ? __atomic_load_n(&block.pages, __ATOMIC_RELAXED) : 0;
}

bool give_large(uint32_t first_page) {
  os::Hold hold(g_lock);
  uint32_t pages = large_pages(first_page);
  if (!pages)
    return false;
  count_change();
  set_state(node(first_page), State::inside); // the range may merge into the one before it
  g_live_pages -= pages;
  uint32_t dirty = pages;
  if (pages >= kPurgeAtOnce >> kPageShift) {
    os::purge(page_address(first_page), size_t{pages} << kPageShift);
    dirty = 0;
  }
  add_free(first_page, pages, dirty);
  purge_old();
  return true;
}

bool resize_large(uint32_t first_page, size_t bytes, uint32_t *dirty_from) {
  size_t wanted = (bytes + kPageSize - 1) >> kPageShift;
  os::Hold hold(g_lock);
  uint32_t pages = large_pages(first_page);
  if (wanted >= g_end - g_first)
    return false;
  auto target = static_cast<uint32_t>(wanted);
  if (dirty_from)
    *dirty_from = first_page + target;
  if (target == pages)
    return true;
  if (target < pages) {
    count_change();
    stamp_extent(first_page);
    set_live(first_page, target);
    g_live_pages -= pages - target;
    add_free(first_page + target, pages - target, pages - target);
    purge_old();
    return true;
  }
  uint32_t after = first_page + pages;
  uint32_t length = 0;
  uint32_t dirty = 0;
  if (is_free_start(after)) {
    length = node(after).pages;
    dirty = node(after).dirty;
  }
  if (pages + length < target) {
    if (after + length != g_frontier || !grow_to(first_page + target))
      return false;
    if (length)
      remove_free(after);
    length = target - pages;
  } else {
    remove_free(after);
  }
  if (dirty && dirty_from)
    *dirty_from = after;
  count_change();
  stamp_extent(first_page);
  uint32_t rest = pages + length - target;
  set_live(first_page, target);
  if (rest)
    insert_free(first_page + target, rest, rest_dirty(dirty, rest));
  enter_large(first_page, after, first_page + target);
  count_live(target - pages);
  return true;
}

void large_was_zeroed(uint32_t first_page, bool grown) {
  os::Hold hold(g_lock);
  count_change();
  if (grown)
    stamp_extent(first_page);
  else
    stamp_birth(first_page);
}

uint64_t large_changes() { return __atomic_load_n(&g_changes, __ATOMIC_ACQUIRE); }
uint32_t large_first() { return g_first; }
uint32_t large_frontier() { return __atomic_load_n(&g_frontier, __ATOMIC_ACQUIRE); }

size_t list_large(LargeLive *out, size_t max) {
  // Whoever holds it holds it briefly, unless it is the code we interrupted.
  constexpr unsigned kTries = 100'000;
  unsigned tries = 0;
  while (!g_lock.try_acquire()) {
    if (++tries == kTries)
      return ~size_t{0};
    __builtin_ia32_pause();
  }
  size_t count = 0;
  for (uint32_t page = g_first; page < g_frontier && count < max; page += node(page).pages)
    if (node(page).state == State::live)
      out[count++] = {page, node(page).pages, node(page).birth, node(page).extent};
  g_lock.release();
  return count;
}

LargeStatistics large_statistics() {
  return {g_live_pages << kPageShift, g_peak_pages << kPageShift, g_blocks,
          g_dirty_pages << kPageShift, g_memory.usable};
}

bool is_valid_large() {
  os::Hold hold(g_lock);
  uint64_t live = 0;
  uint64_t dirty = 0;
  bool previous_free = false;
  uint32_t page = g_first;
  while (page < g_frontier) {
    const Node &range = node(page);
    if ((range.state != State::live && range.state != State::free) || !range.pages)
      return false;
    bool is_free = range.state == State::free;
    if (is_free && previous_free)
      return false; // unmerged neighbours
    live += is_free ? 0 : range.pages;
    dirty += is_free ? range.dirty : 0;
    previous_free = is_free;
    page += range.pages;
  }
  return page == g_frontier && live == g_live_pages && dirty == g_dirty_pages;
}

void lock_large() { g_lock.acquire(); }
void unlock_large() { g_lock.release(); }
void reset_large_lock() { g_lock.reset(); }

bool create_large(char *start, uint32_t first_page, uint32_t end_page) {
  g_memory = {start, size_t{end_page - first_page} << kPageShift, 0};
  g_first = first_page;
  g_frontier = first_page;
  g_end = end_page;
  return g_nodes.create(0, size_t{end_page - first_page} * sizeof(Node));
}

void destroy_large() { g_nodes.destroy(); }

} // namespace culprit::heap
