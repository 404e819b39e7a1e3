// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See scan.h.
#include "runtime/monitor/scan.h"

#include "runtime/monitor/edges.h"
#include "runtime/monitor/graph.h"
#include "runtime/monitor/unreadable.h"

namespace culprit::monitor {
namespace {

constexpr size_t kMaxTargets = kNarrow / sizeof(uintptr_t);

uint32_t g_wild_first = ~0u; // pages, as of the words read so far
uint32_t g_wild_last;

// The target's threads write these words as they like: no race of ours.
__attribute__((disable_sanitizer_instrumentation)) uintptr_t word_at(uintptr_t address) {
  if (is_unreadable(address)) [[unlikely]]
    return 0;
  return __atomic_load_n(reinterpret_cast<const uintptr_t *>(address), __ATOMIC_RELAXED);
}

// Where a word with this offset into the arena points: a small vertex, a large page, or nothing.
Ref target_at(uintptr_t offset) {
  auto page = static_cast<uint32_t>(offset >> heap::kPageShift);
  if (offset >= heap::g_arena.large_base - heap::g_arena.base)
    return kLargeRefs + page;
  uint64_t entry = __atomic_load_n(&heap::g_arena.page_table[page], __ATOMIC_RELAXED);
  unsigned size_class = heap::entry_class(entry);
  if (!size_class) {
    g_wild_first = page < g_wild_first ? page : g_wild_first;
    g_wild_last = page > g_wild_last ? page : g_wild_last;
    return 0;
  }
  uintptr_t in_span =
      (offset & (heap::kPageSize - 1)) + (uintptr_t{heap::entry_back(entry)} << heap::kPageShift);
  size_t slot = heap::slot_of(size_class, in_span);
  uint64_t number = heap::entry_number(entry) + slot;
  if (slot >= heap::kClasses.of[size_class].slots || number >= kLargeRefs - 1)
    return 0;
  return static_cast<Ref>(number) + 1;
}

void sort(Ref *list, size_t count) {
  // Shell's method: lists are short, mostly sorted, and no recursion is wanted here.
  constexpr size_t kGaps[] = {132, 57, 23, 10, 4, 1};
  for (size_t gap : kGaps)
    for (size_t i = gap; i < count; ++i) {
      Ref value = list[i];
      size_t at = i;
      for (; at >= gap && list[at - gap] > value; at -= gap)
        list[at] = list[at - gap];
      list[at] = value;
    }
}

size_t sort_distinct(Ref *list, size_t count) {
  if (count < 2)
    return count;
  sort(list, count);
  size_t kept = 1;
  for (size_t i = 1; i < count; ++i)
    if (list[i] != list[kept - 1])
      list[kept++] = list[i];
  return kept;
}

// A block can have been freed and handed out again since the last point.
uint32_t take_mark(Ref ref) {
  uint32_t mark = __atomic_load_n(&g_marks[ref], __ATOMIC_RELAXED);
  change_context(ref, mark & (kMaxContexts - 1));
  return mark & kNativeMark;
}

void ask_for(const Ref *targets, size_t count) {
  for (size_t i = 0; i < count && i < 8; ++i)
    __builtin_prefetch(&g_nodes[targets[i]], 1);
}

// Blocks read but not yet compared. Comparing needs the old list, and a difference needs the
// targets' nodes, both mostly far away: first all lists of a batch are compared, the nodes that
// will be needed asked for, and then the differences carried out.
struct Batch {
  static constexpr size_t kBlocks = 48;
  Ref sources[kBlocks];
  uint16_t counts[kBlocks];
  size_t blocks;
  size_t used;
  Ref targets[kBlocks * 8 + kMaxTargets];

  void apply(uint64_t &changes) {
    struct Change {
      Ref source;
      uint32_t count;
      const Ref *targets;
    };
    Change different[kBlocks];
    size_t count = 0;
    Ref *from = targets;
    for (size_t i = 0; i < blocks; ++i) {
      auto kept = static_cast<uint32_t>(sort_distinct(from, counts[i]));
      if (!has_targets(sources[i], from, kept)) {
        different[count++] = {sources[i], kept, from};
        ask_for(from, kept);
        Ref single;
        Targets old = targets_of(g_nodes[sources[i]], single);
        ask_for(old.at, old.count);
      }
      from += counts[i];
    }
    for (size_t i = 0; i < count; ++i)
      set_targets(different[i].source, different[i].targets, different[i].count);
    changes += count;
    blocks = 0;
    used = 0;
  }
};
Batch g_batch;

// True if native code may write the block.
bool read_narrow(Ref source, uintptr_t start, size_t size, ScanCost &cost) {
  bool native = take_mark(source) != 0;
  if (native)
    make_sticky(start, size);
  Ref *targets = g_batch.targets + g_batch.used;
  size_t count = 0;
  uintptr_t base = heap::g_arena.base;
  size_t arena = heap::g_arena.size;
  for (uintptr_t at = start; at < start + size; at += sizeof(uintptr_t)) {
    uintptr_t offset = word_at(at) - base;
    if (offset >= arena)
      continue;
    if (Ref target = target_at(offset))
      targets[count++] = target;
  }
  cost.words += size / sizeof(uintptr_t);
  const Node &node = g_nodes[source];
  // Most blocks have the one target, or none, that they had.
  if (count < 2 && node.out == (count ? targets[0] : 0))
    return native;
  if (node.out & kListed)
    __builtin_prefetch(&g_pool[node.out & ~kListed], 1);
  g_batch.sources[g_batch.blocks] = source;
  g_batch.counts[g_batch.blocks] = static_cast<uint16_t>(count);
  g_batch.used += count;
  if (++g_batch.blocks == Batch::kBlocks || g_batch.used > Batch::kBlocks * 8)
    g_batch.apply(cost.changes);
  return native;
}

bool is_source(Ref ref) { return g_nodes[ref].flags & kSource; }

// A card that is sticky for a block that is gone becomes an ordinary one.
void release_card(uintptr_t address) {
  uint8_t *card = card_of(address);
  if (__atomic_load_n(card, __ATOMIC_RELAXED) == CULPRIT_CARD_STICKY)
    __atomic_store_n(card, CULPRIT_CARD_DIRTY, __ATOMIC_RELAXED);
}

// A wide block that points into itself may be a pool of the program's: what held a pointer may be
// used for small numbers next, whose stores mark nothing (pass/writes.h). As long as it does, its
// cards are sticky: it is read as a whole at every point. A larger one is more likely an array of
// nodes, and reading it would cost.
constexpr size_t kLargestPool = size_t{4} << 20;

bool is_pool(Ref wide, size_t size) { return words_inside(g_nodes[wide]) && size <= kLargestPool; }

// Card by card: a mark that a point swallowed while native code took the block over is set again
// when its card is next looked at.
void keep_card(uintptr_t address, bool sticky) {
  if (sticky)
    make_sticky(address, kCardSize);
  else
    release_card(address);
}

template <typename Visit> void for_each_card(const DirtyPage &dirty, Visit visit) {
  for (size_t word = 0; word < kCardsPerPage / 64; ++word)
    for (uint64_t bits = dirty.bits[word]; bits; bits &= bits - 1)
      visit((word * 64 + static_cast<size_t>(__builtin_ctzll(bits))) * kCardSize);
}

void scan_narrow_page(const DirtyPage &dirty, unsigned size_class, ScanCost &cost) {
  const heap::SizeClass &kind = heap::kClasses.of[size_class];
  auto base = reinterpret_cast<uintptr_t>(heap::page_address(dirty.page));
  Ref first = first_ref(dirty.page);
  size_t next = 0; // slots before this one were read
  bool last_native = false;
  for_each_card(dirty, [&](size_t offset) {
    size_t from = heap::slot_of(size_class, offset);
    size_t to = heap::slot_of(size_class, offset + kCardSize - 1);
    bool native = from < next && last_native;
    for (size_t slot = from < next ? next : from; slot <= to && slot < kind.slots; ++slot) {
      last_native =
          is_source(first + static_cast<Ref>(slot)) &&
          read_narrow(first + static_cast<Ref>(slot), base + slot * kind.size, kind.size, cost);
      native |= last_native;
      next = slot + 1;
    }
    if (!native)
      release_card(base + offset);
  });
  g_batch.apply(cost.changes);
}

void scan_wide_small_page(const DirtyPage &dirty, unsigned size_class, ScanCost &cost) {
  const heap::SizeClass &kind = heap::kClasses.of[size_class];
  uint32_t back = heap::entry_back(heap::g_arena.page_table[dirty.page]);
  auto span = reinterpret_cast<uintptr_t>(heap::page_address(dirty.page - back));
  Ref first = first_ref(dirty.page);
  for_each_card(dirty, [&](size_t in_page) {
    size_t offset = in_page + (size_t{back} << heap::kPageShift);
    size_t from = heap::slot_of(size_class, offset);
    size_t to = heap::slot_of(size_class, offset + kCardSize - 1);
    bool stays = false;
    for (size_t slot = from; slot <= to && slot < kind.slots; ++slot) {
      Ref ref = first + static_cast<Ref>(slot);
      if (!is_source(ref))
        continue;
      uintptr_t start = span + slot * kind.size;
      bool native = take_mark(ref) != 0;
      size_t begin = slot * kind.size < offset ? offset - slot * kind.size : 0;
      size_t end = offset + kCardSize - slot * kind.size;
      scan_wide(ref, start, kind.size, begin, end < kind.size ? end : kind.size, cost);
      stays |= native || is_pool(ref, kind.size);
    }
    keep_card(span + offset, stays);
  });
}

void scan_large_page(const DirtyPage &dirty, ScanCost &cost) {
  uint32_t first = dirty.page - heap::entry_back(heap::g_arena.page_table[dirty.page]);
  uint32_t pages = heap::large_pages(first);
  Ref ref = kLargeRefs + first;
  uintptr_t start = reinterpret_cast<uintptr_t>(heap::page_address(first));
  size_t page_offset = size_t{dirty.page - first} << heap::kPageShift;
  if (dirty.page - first >= pages || !is_source(ref)) {
    for_each_card(dirty, [&](size_t in_page) { release_card(start + page_offset + in_page); });
    return;
  }
  bool native = take_mark(ref) != 0;
  size_t size = size_t{pages} << heap::kPageShift;
  // A block that grows at this moment: its shadow has the length of when it was made.
  if (g_nodes[ref].out && size > g_pool[(g_nodes[ref].out & ~kListed) + 1] * sizeof(uintptr_t))
    size = g_pool[(g_nodes[ref].out & ~kListed) + 1] * sizeof(uintptr_t);
  for_each_card(dirty, [&](size_t in_page) {
    size_t from = page_offset + in_page;
    if (from + kCardSize <= size)
      scan_wide(ref, start, size, from, from + kCardSize, cost);
    keep_card(start + from, native || is_pool(ref, size));
  });
}

} // namespace

void scan_wide(Ref source, uintptr_t start, size_t size, size_t from, size_t to, ScanCost &cost) {
  uintptr_t base = heap::g_arena.base;
  size_t arena = heap::g_arena.size;
  bool was_pool = is_pool(source, size);
  for (size_t at = from; at < to; at += sizeof(uintptr_t)) {
    uintptr_t offset = word_at(start + at) - base;
    Ref target = offset < arena ? target_at(offset) : 0;
    if (target == wide_word(g_nodes[source], at / sizeof(uintptr_t)))
      continue;
    set_wide_word(source, size / sizeof(uintptr_t), at / sizeof(uintptr_t), target);
    ++cost.changes;
  }
  if (!was_pool && is_pool(source, size))
    make_sticky(start, size);
  cost.words += (to - from) / sizeof(uintptr_t);
}

void scan_page(const DirtyPage &dirty, ScanCost &cost) {
  unsigned size_class =
      heap::entry_class(__atomic_load_n(&heap::g_arena.page_table[dirty.page], __ATOMIC_RELAXED));
  if (!size_class)
    return;
  if (size_class == heap::kLargeClass)
    scan_large_page(dirty, cost);
  else if (heap::kClasses.of[size_class].size > kNarrow)
    scan_wide_small_page(dirty, size_class, cost);
  else
    scan_narrow_page(dirty, size_class, cost);
}

void scan_everything(ScanCost &cost) {
  g_wild_first = ~0u;
  g_wild_last = 0;
  KnownSpans spans = known_spans();
  for (size_t i = 0; i < spans.count; ++i) {
    const heap::SizeClass &kind = heap::kClasses.of[spans.at[i].size_class];
    auto base = reinterpret_cast<uintptr_t>(heap::page_address(spans.at[i].page));
    Ref first = first_ref(spans.at[i].page);
    for (size_t slot = 0; slot < kind.slots; ++slot) {
      Ref ref = first + static_cast<Ref>(slot);
      if (!is_source(ref))
        continue;
      if (kind.size <= kNarrow) {
        read_narrow(ref, base + slot * kind.size, kind.size, cost);
        continue;
      }
      take_mark(ref);
      scan_wide(ref, base + slot * kind.size, kind.size, 0, kind.size, cost);
    }
  }
  g_batch.apply(cost.changes);
  KnownLarge large = known_large();
  for (size_t i = 0; i < large.count; ++i) {
    Ref ref = kLargeRefs + large.at[i].page;
    size_t size = size_t{large.at[i].pages} << heap::kPageShift;
    if (is_source(ref) && heap::large_pages(large.at[i].page) == large.at[i].pages)
      scan_wide(ref, reinterpret_cast<uintptr_t>(heap::page_address(large.at[i].page)), size, 0,
                size, cost);
  }
}

bool wild_words_in(uint32_t first_page, uint32_t end_page) {
  return first_page < end_page && g_wild_first < end_page && g_wild_last >= first_page;
}

} // namespace culprit::monitor
