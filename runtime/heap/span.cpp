// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See span.h. Order in which a refill looks: spans with freed blocks, the span being cut fresh,
// whole spans kept with their memory, purged ones, new pages. Freed blocks first keeps the heap
// dense; purged last saves faults.
#include "runtime/heap/span.h"

#include "runtime/access/blocks.h"
#include "runtime/access/state.h"

namespace culprit::heap {
namespace {

struct alignas(64) Class {
  os::Lock lock;
  uint32_t partial; // heads of lists of page numbers
  uint32_t empty;
  uint32_t purged;
  uint32_t current; // span being cut fresh; not in a list unless it also has freed blocks
  uint32_t spans;
  uint32_t purged_count;
  uint64_t free_blocks;
  uint64_t refills;
  uint64_t flushes;
};

Class g_classes[kClassCount];
os::Range g_spans;
os::Lock g_table_lock;
size_t g_held_bytes; // in spans of all classes, purged ones left out
size_t g_kept_bytes; // of these, in empty spans

constexpr size_t kKeepAtLeast = size_t{1} << 20;

Span &span_at(uint32_t page) { return reinterpret_cast<Span *>(g_spans.start)[page]; }

uint32_t *list_head(Class &owner, SpanPlace place) {
  switch (place) {
  case SpanPlace::partial:
    return &owner.partial;
  case SpanPlace::empty:
    return &owner.empty;
  case SpanPlace::purged:
    return &owner.purged;
  case SpanPlace::full:
    break;
  }
  return nullptr;
}

void move_to(Class &owner, uint32_t page, SpanPlace place) {
  Span &span = span_at(page);
  if (uint32_t *head = list_head(owner, span.place)) {
    if (span.previous)
      span_at(span.previous).next = span.next;
    else
      *head = span.next;
    if (span.next)
      span_at(span.next).previous = span.previous;
  }
  owner.purged_count += (place == SpanPlace::purged) - (span.place == SpanPlace::purged);
  span.place = place;
  span.previous = 0;
  span.next = 0;
  if (uint32_t *head = list_head(owner, place)) {
    span.next = *head;
    if (*head)
      span_at(*head).previous = page;
    *head = page;
  }
}

unsigned take_freed(Class &owner, uint32_t page, const SizeClass &kind, Entry *out,
                    unsigned wanted) {
  Span &span = span_at(page);
  auto base = reinterpret_cast<uintptr_t>(page_address(page));
  unsigned taken = 0;
  unsigned word = span.first_word;
  while (taken < wanted && span.free) {
    uint64_t bits = span.bits[word];
    if (!bits) {
      ++word;
      continue;
    }
    while (bits && taken < wanted) {
      size_t slot = size_t{word} * 64 + static_cast<size_t>(__builtin_ctzll(bits));
      bits &= bits - 1;
      out[taken++] = make_entry(base + slot * kind.size, slot);
      --span.free;
    }
    span.bits[word] = bits;
  }
  span.first_word = static_cast<uint16_t>(word);
  owner.free_blocks -= taken;
  move_to(owner, page, span.free ? SpanPlace::partial : SpanPlace::full);
  return taken;
}

unsigned take_kept(Class &owner, const SizeClass &kind, Entry *out, unsigned wanted) {
  __atomic_fetch_sub(&g_kept_bytes, kind.span_pages * kPageSize, __ATOMIC_RELAXED);
  return take_freed(owner, owner.empty, kind, out, wanted);
}

unsigned take_purged(Class &owner, const SizeClass &kind, Entry *out, unsigned wanted) {
  __atomic_fetch_add(&g_held_bytes, kind.span_pages * kPageSize, __ATOMIC_RELAXED);
  return take_freed(owner, owner.purged, kind, out, wanted);
}

unsigned take_fresh(Class &owner, const SizeClass &kind, Entry *out, unsigned wanted) {
  Span &span = span_at(owner.current);
  auto base = reinterpret_cast<uintptr_t>(page_address(owner.current));
  unsigned taken = 0;
  while (taken < wanted && span.fresh < kind.slots) {
    out[taken++] = make_entry(base + size_t{span.fresh} * kind.size, span.fresh);
    ++span.fresh;
  }
  return taken;
}

bool add_span(Class &owner, unsigned size_class, const SizeClass &kind) {
  uint32_t page = take_small_pages(size_class, kind.span_pages);
  if (!page)
    return false;
  {
    os::Hold hold(g_table_lock);
    if (!g_spans.grow((size_t{page} + 1) * sizeof(Span), size_t{64} * 1024))
      return false; // the pages stay with the class, unused: memory is out
  }
  if (access::is_on())
    access::name_fresh(reinterpret_cast<uintptr_t>(page_address(page)),
                       kind.span_pages * kPageSize);
  Span &span = span_at(page);
  span.size_class = static_cast<uint8_t>(size_class);
  __atomic_fetch_add(&g_held_bytes, kind.span_pages * kPageSize, __ATOMIC_RELAXED);
  owner.current = page;
  ++owner.spans;
  return true;
}

void keep_or_purge(Class &owner, uint32_t page, const SizeClass &kind) {
  size_t bytes = kind.span_pages * kPageSize;
  size_t allowance = __atomic_load_n(&g_held_bytes, __ATOMIC_RELAXED) / 8;
  if (allowance < kKeepAtLeast)
    allowance = kKeepAtLeast;
  if (__atomic_load_n(&g_kept_bytes, __ATOMIC_RELAXED) + bytes <= allowance) {
    __atomic_fetch_add(&g_kept_bytes, bytes, __ATOMIC_RELAXED);
    move_to(owner, page, SpanPlace::empty);
    return;
  }
  os::purge(page_address(page), bytes);
  __atomic_fetch_sub(&g_held_bytes, bytes, __ATOMIC_RELAXED);
  move_to(owner, page, SpanPlace::purged);
}

void give_one(Class &owner, const SizeClass &kind, Entry entry) {
  uintptr_t start = entry_start(entry);
  size_t slot = entry_slot(entry);
  uint32_t page = static_cast<uint32_t>((start - g_arena.base) >> kPageShift);
  page -= entry_back(g_arena.page_table[page]);
  Span &span = span_at(page);
  span.bits[slot / 64] |= uint64_t{1} << (slot % 64);
  if (slot / 64 < span.first_word || !span.free)
    span.first_word = static_cast<uint16_t>(slot / 64);
  ++span.free;
  ++owner.free_blocks;
  if (span.free == kind.slots)
    keep_or_purge(owner, page, kind);
  else if (span.place == SpanPlace::full)
    move_to(owner, page, SpanPlace::partial);
}

} // namespace

unsigned take_blocks(unsigned size_class, Entry *out, unsigned wanted) {
  const SizeClass &kind = kClasses.of[size_class];
  Class &owner = g_classes[size_class];
  os::Hold hold(owner.lock);
  ++owner.refills;
  unsigned taken = 0;
  while (taken < wanted) {
    if (owner.partial)
      taken += take_freed(owner, owner.partial, kind, out + taken, wanted - taken);
    else if (owner.current && span_at(owner.current).fresh < kind.slots)
      taken += take_fresh(owner, kind, out + taken, wanted - taken);
    else if (owner.empty)
      taken += take_kept(owner, kind, out + taken, wanted - taken);
    else if (owner.purged)
      taken += take_purged(owner, kind, out + taken, wanted - taken);
    else if (taken || !add_span(owner, size_class, kind))
      break; // a short batch is better than new pages
  }
  for (unsigned low = 0, high = taken; low + 1 < high;) {
    Entry swapped = out[low];
    out[low++] = out[--high];
    out[high] = swapped;
  }
  return taken;
}

void give_blocks(unsigned size_class, const Entry *blocks, unsigned count) {
  const SizeClass &kind = kClasses.of[size_class];
  Class &owner = g_classes[size_class];
  os::Hold hold(owner.lock);
  ++owner.flushes;
  for (unsigned i = 0; i < count; ++i)
    give_one(owner, kind, blocks[i]);
}

ClassStatistics class_statistics(unsigned size_class) {
  const Class &owner = g_classes[size_class];
  return {owner.spans, owner.purged_count, owner.free_blocks, owner.refills, owner.flushes};
}

bool is_valid(unsigned size_class) {
  const SizeClass &kind = kClasses.of[size_class];
  Class &owner = g_classes[size_class];
  os::Hold hold(owner.lock);
  uint64_t free_blocks = 0;
  constexpr SpanPlace kListed[] = {SpanPlace::partial, SpanPlace::empty, SpanPlace::purged};
  for (SpanPlace place : kListed) {
    uint32_t previous = 0;
    for (uint32_t page = *list_head(owner, place); page; page = span_at(page).next) {
      Span &span = span_at(page);
      unsigned bits = 0;
      for (uint64_t word : span.bits)
        bits += static_cast<unsigned>(__builtin_popcountll(word));
      if (span.place != place || span.previous != previous || span.size_class != size_class ||
          bits != span.free || span.free > span.fresh || span.fresh > kind.slots || !bits ||
          (place != SpanPlace::partial && span.free != kind.slots))
        return false;
      free_blocks += bits;
      previous = page;
    }
  }
  return free_blocks == owner.free_blocks;
}

void lock_spans() {
  for (Class &owner : g_classes)
    owner.lock.acquire();
  g_table_lock.acquire();
}

void unlock_spans() {
  g_table_lock.release();
  for (Class &owner : g_classes)
    owner.lock.release();
}

void reset_span_locks() {
  g_table_lock.reset();
  for (Class &owner : g_classes)
    owner.lock.reset();
}

bool create_span_table(size_t pages) { return g_spans.create(0, pages * sizeof(Span)); }
void destroy_span_table() { g_spans.destroy(); }

} // namespace culprit::heap
