// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See cards.h.
#include "runtime/monitor/cards.h"

#include "runtime/os/memory.h"

namespace culprit::monitor {

uint8_t *g_page_marks;
uint64_t g_pending_cards;

namespace {

constexpr size_t kArenaPages = heap::kArenaSize >> heap::kPageShift;

void set_cards(uintptr_t address, size_t size, uint8_t value) {
  uintptr_t offset = address - heap::g_arena.base;
  if (!size || offset >= heap::g_arena.size)
    return;
  if (size > heap::g_arena.size - offset)
    size = heap::g_arena.size - offset;
  uint64_t changed = 0;
  uint8_t *card = card_of(address);
  uint8_t *last = card_of(address + size - 1);
  uintptr_t at = address & ~(kCardSize - 1);
  for (; card <= last; ++card, at += kCardSize) {
    uint8_t old = __atomic_load_n(card, __ATOMIC_RELAXED);
    if (old >= value)
      continue;
    __atomic_store_n(card, value, __ATOMIC_RELAXED);
    mark_page(at);
    ++changed;
  }
  if (changed)
    count_pending(changed);
}

// Changes when a point begins to take the marks, and again when it has them and before it reads the
// words.
uint64_t g_takings = 1;

// Ranges this thread marked since the marks were last taken. A program that reads a large file line
// by line has its buffer told as written with every line, as far as it reaches: marking it again
// would cost more than reading the line.
struct Marked {
  uintptr_t start;
  uintptr_t end;
  uint64_t takings;
};
constexpr size_t kWorthKeeping = 16 * kCardSize;
constexpr unsigned kMarkedRanges = 4;
__thread Marked g_marked[kMarkedRanges] __attribute__((tls_model("initial-exec")));
__thread unsigned g_next_marked __attribute__((tls_model("initial-exec")));

bool is_marked(uintptr_t start, uintptr_t end, uint64_t takings) {
  for (const Marked &range : g_marked)
    if (range.takings == takings && range.start <= start && end <= range.end)
      return true;
  return false;
}

constexpr uint64_t kOnes = 0x0101010101010101;

// One bit per byte of `low_bits`, whose bytes are 0 or 1, lowest byte first.
uint64_t gather(uint64_t low_bits) { return low_bits * 0x0102040810204080 >> 56; }

uint64_t eight_at(const uint8_t *bytes) {
  return __atomic_load_n(reinterpret_cast<const uint64_t *>(bytes), __ATOMIC_RELAXED);
}

bool take_byte(uint8_t &byte) {
  return __atomic_load_n(&byte, __ATOMIC_RELAXED) &&
         __atomic_exchange_n(&byte, 0, __ATOMIC_SEQ_CST);
}

bool take_page(uint32_t page, DirtyPage &out, uint64_t &cards) {
  auto address = reinterpret_cast<uintptr_t>(heap::page_address(page));
  uint8_t *table = card_of(address);
  uint64_t any = 0;
  out.page = page;
  out.sticky = 0;
  for (size_t word = 0; word < kCardsPerPage / 64; ++word) {
    uint64_t bits = 0;
    for (size_t eight = 0; eight < 8; ++eight) {
      uint8_t *from = table + word * 64 + eight * 8;
      uint64_t values = __atomic_load_n(reinterpret_cast<const uint64_t *>(from), __ATOMIC_RELAXED);
      if (!values)
        continue;
      uint64_t dirty = gather(values & kOnes);
      uint64_t sticky = gather(values >> 1 & kOnes);
      for (uint64_t rest = dirty; rest; rest &= rest - 1)
        __atomic_store_n(from + __builtin_ctzll(rest), CULPRIT_CARD_CLEAN, __ATOMIC_RELAXED);
      out.sticky |= sticky != 0;
      bits |= (dirty | sticky) << (eight * 8);
    }
    out.bits[word] = bits;
    any |= bits;
    cards += static_cast<uint64_t>(__builtin_popcountll(bits));
  }
  return any != 0;
}

} // namespace

bool create_cards() {
  g_page_marks = reinterpret_cast<uint8_t *>(os::map_sparse(0, kArenaPages));
  return g_page_marks && os::map_sparse(CULPRIT_CARD_BASE, CULPRIT_CARD_TABLE_SIZE);
}

// Whoever sees that no taking has begun since its marks stored before it began: the same order as
// for a card that is seen dirty (cards.h).
void dirty_range(uintptr_t address, size_t size) {
  if (size < kWorthKeeping) {
    set_cards(address, size, CULPRIT_CARD_DIRTY);
    return;
  }
  uint64_t takings = __atomic_load_n(&g_takings, __ATOMIC_ACQUIRE);
  if (is_marked(address, address + size, takings))
    return;
  set_cards(address, size, CULPRIT_CARD_DIRTY);
  g_marked[g_next_marked++ % kMarkedRanges] = {address, address + size, takings};
}
void make_sticky(uintptr_t address, size_t size) { set_cards(address, size, CULPRIT_CARD_STICKY); }

size_t take_dirty(DirtyPage *out, size_t max, uint32_t small_end, uint32_t large_begin,
                  uint32_t large_end, uint64_t &cards) {
  uint8_t *free_marks = heap::g_arena.free_marks;
  __atomic_fetch_add(&g_takings, 1, __ATOMIC_SEQ_CST);
  size_t count = 0;
  uint32_t page = 1;
  while (page < large_end && count < max) {
    if (page >= small_end && page < large_begin)
      page = large_begin;
    // Eight pages at a time where nothing happened; the tables reach past both ends.
    if (!(page & 7) && !eight_at(g_page_marks + page) && !eight_at(free_marks + page)) {
      page += 8;
      continue;
    }
    bool marked = take_byte(g_page_marks[page]);
    bool freed = take_byte(free_marks[page]);
    if (marked || freed) {
      out[count] = {page, 0, {}};
      if (marked && take_page(page, out[count], cards) && out[count].sticky)
        __atomic_store_n(&g_page_marks[page], 1, __ATOMIC_RELAXED);
      ++count;
    }
    ++page;
  }
  __atomic_store_n(&g_pending_cards, 0, __ATOMIC_RELAXED);
  __atomic_fetch_add(&g_takings, 1, __ATOMIC_SEQ_CST);
  return count;
}

} // namespace culprit::monitor
