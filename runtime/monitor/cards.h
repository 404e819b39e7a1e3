// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cards: which parts of the heap may hold other pointers than at the last metric point. The table
// is abi/monitor.h's, one byte per 128 bytes of address space; a second table has one byte per
// arena page (512 cards), so that a point visits only pages where something happened, in address
// order.
//
// Who writes. Mutators set a card after their store and then the page's byte, without asking
// whether it is set; a point clears the page's byte, then the cards (one byte at a time: a
// word-wide clear could swallow a neighbour's mark), waits until every thread's stores are visible,
// and only then reads the words. A store that saw its card dirty happened before the clearing and
// is read; one that saw it clean marks it again. Sticky cards belong to blocks unseen native code
// may write, and to pools (scan.cpp): a point looks at them and leaves them.
#pragma once

#include "abi/monitor.h"
#include "runtime/heap/arena.h"

namespace culprit::monitor {

constexpr size_t kCardSize = size_t{1} << CULPRIT_CARD_SHIFT;
constexpr size_t kCardsPerPage = heap::kPageSize / kCardSize;

// False if the address range is taken or limited.
bool create_cards();

inline uint8_t *card_of(uintptr_t address) {
  return reinterpret_cast<uint8_t *>(CULPRIT_CARD_BASE + (address >> CULPRIT_CARD_SHIFT));
}

extern uint8_t *g_page_marks; // one per arena page

// Cards that became dirty since the last point: what the next point will have to look at. Lost
// counts of racing threads only shift a point.
extern uint64_t g_pending_cards;

inline void count_pending(uint64_t cards) {
  uint64_t pending = __atomic_load_n(&g_pending_cards, __ATOMIC_RELAXED);
  __atomic_store_n(&g_pending_cards, pending + cards, __ATOMIC_RELAXED);
}

// After the card, which whoever takes this byte then sees: x86 keeps stores in order. Were the byte
// looked at first, the card could still be on its way: a point that takes the byte in between finds
// the card clean, and nothing leads the next one to it.
inline void mark_page(uintptr_t address) {
  __atomic_store_n(&g_page_marks[(address - heap::g_arena.base) >> heap::kPageShift], 1,
                   __ATOMIC_RELEASE);
}

// `address` is inside the arena.
inline void dirty_in_arena(uintptr_t address) {
  uint8_t *card = card_of(address);
  if (__atomic_load_n(card, __ATOMIC_RELAXED) != CULPRIT_CARD_CLEAN)
    return;
  __atomic_store_n(card, CULPRIT_CARD_DIRTY, __ATOMIC_RELAXED);
  mark_page(address);
  count_pending(1);
}

// Every card of [address, address + size) inside the arena; nothing outside.
void dirty_range(uintptr_t address, size_t size);
void make_sticky(uintptr_t address, size_t size);

// What the compiled barrier does: for stores of our own into the target's memory.
inline void after_store(const void *address) {
  auto at = reinterpret_cast<uintptr_t>(address);
  if (at - heap::g_arena.base < heap::g_arena.size)
    dirty_in_arena(at);
}

// The dirty and sticky cards of one arena page, as bits.
struct DirtyPage {
  uint32_t page;
  uint32_t sticky; // some card is
  uint64_t bits[kCardsPerPage / 64];
};

// Takes all marks: pages in address order into `out`, cards clean again (but the sticky ones).
// Pages where nothing but a free happened are among them. How many pages; `cards` counts cards.
size_t take_dirty(DirtyPage *out, size_t max, uint32_t small_end, uint32_t large_begin,
                  uint32_t large_end, uint64_t &cards);

} // namespace culprit::monitor
