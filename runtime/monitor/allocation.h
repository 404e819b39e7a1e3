// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation in a monitor flavour: as heap/allocate.h, and
//   - one byte more is asked for, so that a pointer past the last byte is inside its own block;
//   - the whole block is zeroed: it has no edges until the target writes some;
//   - its first card is marked (all of a wide block's), so that a slot used again between two
//     points is read again;
//   - who allocated it is kept: the context's number, or that unseen native code did, which may
//     write it without a barrier: its cards are looked at in every scan.
// Freeing is heap::free: a cleared live byte is all a point needs.
#pragma once

#include "runtime/heap/allocate.h"
#include "runtime/monitor/blame.h"
#include "runtime/monitor/cards.h"
#include "runtime/monitor/pacing.h"
#include "runtime/monitor/vertexes.h"

namespace culprit::monitor {

// `mark`: a context's number, or kNativeMark. Sizes are checked against heap::kLargestRequest.
// Null: memory is out.
void *allocate_slowly(size_t size, uint32_t mark);
void *allocate_aligned(size_t alignment, size_t size, uint32_t mark);
void *resize(void *address, size_t size, uint32_t mark); // address not null, size not 0

// The block was handed to native code for good.
void keep_native(const heap::Object &object);

inline void count_allocation(size_t size) {
  int64_t work = (1 + static_cast<int64_t>(size / 64)) & g_allocation_work;
  __culprit_countdown -= work;
  g_thread_work.unentered += static_cast<uint64_t>(work);
  g_thread_work.allocated_bytes += size;
}

inline void zero_block(uintptr_t start, size_t size) {
  if (size > 128) {
    __builtin_memset(reinterpret_cast<void *>(start), 0, size);
    return;
  }
  typedef long long Granule __attribute__((vector_size(16), may_alias)); // NOLINT
  for (size_t at = 0; at < size; at += heap::kGranule)
    *reinterpret_cast<Granule *>(start + at) = Granule{};
}

inline void dress_ref(Ref ref, uint32_t mark) {
  __atomic_store_n(&g_marks[ref], mark, __ATOMIC_RELAXED);
  forget_blame(ref);
}

// By code we see.
inline void *allocate(size_t size) {
  heap::ThreadCache *cache = heap::g_cache;
  uint32_t mark = current_context();
  if (size >= heap::kTableLimit || !cache) [[unlikely]]
    return allocate_slowly(size, mark);
  unsigned size_class = heap::class_by_table(size + 1);
  heap::Stack &stack = cache->stacks[size_class];
  heap::Entry *top = stack.top;
  size_t block = heap::kClasses.of[size_class].size;
  if (top == stack.bottom || block > kNarrow) [[unlikely]]
    return allocate_slowly(size, mark);
  heap::Entry entry = *--top;
  stack.top = top;
  uintptr_t start = heap::entry_start(entry);
  uint64_t number = heap::entry_number(heap::entry_of(start)) + heap::entry_slot(entry);
  zero_block(start, block);
  if (number < kLargeRefs - 1) [[likely]]
    dress_ref(static_cast<Ref>(number) + 1, mark);
  __atomic_store_n(&heap::g_arena.live[number], 1, __ATOMIC_RELAXED);
  dirty_in_arena(start);
  count_allocation(size);
  return reinterpret_cast<void *>(start);
}

} // namespace culprit::monitor
