// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation in a monitor flavour: as heap/allocate.h, and
//   - more may be asked for than the target did (Room below);
//   - the whole block is zeroed: it has no edges until the target writes some (not without the
//     heap graph, where only calloc asks for it);
//   - its first card is marked (all of a wide block's), so that a slot used again between two
//     points is read again;
//   - it is noted as the thread's newest: stores that begin it have no barrier (pass/
//     fresh_blocks.h), and a point of another thread may come between;
//   - who allocated it is kept: the context's number, or that unseen native code did, which may
//     write it without a barrier: its cards are looked at in every scan;
//   - its granules get their names (access/blocks.h), in a flavour with access sets.
// Freeing is heap::free: a cleared live byte is all a point needs. With access sets the block gets
// the name of freed ones (leave_block).
#pragma once

#include "runtime/access/blocks.h"
#include "runtime/heap/allocate.h"
#include "runtime/monitor/blame.h"
#include "runtime/monitor/cards.h"
#include "runtime/monitor/pacing.h"
#include "runtime/monitor/state.h"
#include "runtime/monitor/vertexes.h"

namespace culprit::monitor {

// `mark`: a context's number, or kNativeMark. Sizes are checked against heap::kLargestRequest.
// Null: memory is out. `zeroed`: the target relies on it.
void *allocate(size_t size, uint32_t mark, bool zeroed = false);
// At most CULPRIT_EXACT_SIZE bytes of a constant size; `lone`: one struct, see Room.
void *allocate_exact(size_t size, uint32_t mark, bool lone, bool zeroed = false);
void *allocate_aligned(size_t alignment, size_t size, uint32_t mark);
void *resize(void *address, size_t size, uint32_t mark); // address not null, size not 0

// What allocate_more() leaves to be done now and then: the card, the lump of work, the names.
void *finish_block(uintptr_t start, size_t size, uint32_t mark);

// Before a block of `size` bytes is freed.
inline void leave_block(uintptr_t start, size_t size) {
  if (has_access_sets())
    access::name_freed(start, size);
}
void leave_any(const void *address); // of any size; what is no live block is left alone
void release(void *address);         // heap::free

// The block was handed to native code for good.
void keep_native(const heap::Object &object);

// Counted apart from the countdown, which every function entry touches: one more link in that chain
// of stores and loads is what a small allocation would wait for. True: drain_allocations() is due.
inline bool count_allocation(size_t size) {
  g_thread_work.allocated_bytes += size;
  uint64_t spent = g_thread_work.spent + size + kAllocationScale;
  g_thread_work.spent = spent;
  return spent >= kAllocationLump;
}

inline void zero_block(uintptr_t start, size_t size) {
  if (size > 256) { // no call: the fast path would have to save what it holds
    __asm__ volatile("rep stosb" : "+D"(start), "+c"(size) : "a"(0) : "memory");
    return;
  }
  typedef long long Granule __attribute__((vector_size(16), may_alias)); // NOLINT
#pragma clang loop unroll(disable)
  for (size_t at = 0; at < size; at += heap::kGranule)
    *reinterpret_cast<Granule *>(start + at) = Granule{};
}

// What a request is enlarged by.
enum class Room {
  end,   // one byte: a pointer past the last byte is inside its own block
  exact, // of a size the compiler knows, nothing points to its end. With access sets it is enlarged
         // all the same: where nothing lies between two blocks of one name, an overrun from the one
         // into the other is not heard of
  lone, // not at all: one struct that does not end in an array. What runs out of an array inside it
        // meets another member first, which has a name of its own
};

inline size_t more_for(Room room, unsigned features) {
  static_assert(kGaps == 64);
  return room == Room::end ? 1 : room == Room::exact ? features >> 6 & 1 : 0;
}

inline void dress_ref(Ref ref, uint32_t mark, unsigned features) {
  if (features & CULPRIT_FEATURE_ACCESS)
    access::remember_previous(ref, mark);
  __atomic_store_n(&g_marks[ref], mark, __ATOMIC_RELAXED);
  forget_blame(ref);
}

// Before the card is looked at: either the point that cleans it sees the note, or we see it clean.
inline void note_newest(heap::ThreadCache *cache, uintptr_t start) {
  __atomic_store_n(&cache->newest, start, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// By code we see. `kZeroed`: as above. `slowly` takes over, as a tail call, whatever is not one
// block from the thread's cache for a context that is known: nothing is saved on the fast path.
template <Room kRoom, bool kZeroed = false>
[[gnu::always_inline]] inline void *allocate_more(size_t size, void *(*slowly)(size_t)) {
  heap::ThreadCache *cache = heap::g_cache;
  unsigned features = g_features;
  size_t enlarged = size + more_for(kRoom, features);
  if (enlarged > kNarrow || !cache) [[unlikely]]
    return slowly(size);
  unsigned size_class = heap::class_by_table(enlarged);
  heap::Stack &stack = cache->stacks[size_class];
  heap::Entry *top = stack.top;
  uint32_t mark;
  if (top == stack.bottom || !known_context(mark)) [[unlikely]]
    return slowly(size);
  size_t block = heap::kClasses.of[size_class].size;
  heap::Entry entry = *--top;
  stack.top = top;
  uintptr_t start = heap::entry_start(entry);
  uint64_t number = heap::entry_number(heap::entry_of(start)) + heap::entry_slot(entry);
  if (kZeroed || features & CULPRIT_FEATURE_HEAP) [[likely]]
    zero_block(start, block);
  if (number < kLargeRefs - 1) [[likely]]
    dress_ref(static_cast<Ref>(number) + 1, mark, features);
  __atomic_store_n(&heap::g_arena.live[number], 1, __ATOMIC_RELAXED);
  note_newest(cache, start);
  bool due = count_allocation(size);
  if (features & CULPRIT_FEATURE_HEAP) [[likely]]
    due |= __atomic_load_n(card_of(start), __ATOMIC_RELAXED) == CULPRIT_CARD_CLEAN;
  if (due) [[unlikely]]
    return finish_block(start, size, mark);
  if (features & CULPRIT_FEATURE_ACCESS &&
      (features & kWatching || !access::name_by_pattern(start, block, size, mark)))
    return access::name_and_return(start, block, size, mark);
  return reinterpret_cast<void *>(start);
}

} // namespace culprit::monitor
