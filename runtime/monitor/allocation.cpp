// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See allocation.h.
#include "runtime/monitor/allocation.h"

namespace culprit::monitor {
namespace {

void dress(const heap::Object &object, uint32_t mark) {
  if (Ref ref = ref_of(object))
    dress_ref(ref, mark);
  if (mark & kNativeMark)
    make_sticky(object.start, object.size);
  else if (object.size_class != heap::kLargeClass)
    dirty_range(object.start, object.size > kNarrow ? object.size : 1);
  // Of a large block the graph knows its birth: it begins without edges and without marks.
}

void count_slowly(size_t size) {
  if (count_allocation(size))
    drain_allocations();
}

void *begin_small(void *block, size_t size, uint32_t mark) {
  if (!block)
    return nullptr;
  heap::Object object = heap::find_object(block);
  zero_block(object.start, object.size);
  // A thread that is ending has no place for the note: its blocks are always looked at.
  if (heap::ThreadCache *cache = heap::g_cache; cache && object.size <= kNarrow)
    note_newest(cache, object.start);
  else if (!cache)
    mark |= kNativeMark;
  dress(object, mark);
  count_slowly(size);
  return block;
}

void *begin_large(size_t alignment, size_t size, uint32_t mark) {
  heap::LargeBlock block = heap::take_large(size + 1, alignment);
  if (!block.start)
    return nullptr;
  heap::Object object = heap::find_object(block.start);
  if (!block.zeroed)
    __builtin_memset(block.start, 0, object.size);
  dress(object, mark);
  count_slowly(size);
  return block.start;
}

} // namespace

void *finish_block(uintptr_t start) {
  dirty_in_arena(start);
  if (g_thread_work.spent >= kAllocationLump)
    drain_allocations();
  return reinterpret_cast<void *>(start);
}

void *allocate(size_t size, uint32_t mark) {
  if (size >= heap::kLargestSmall)
    return begin_large(1, size, mark);
  return begin_small(heap::allocate_slowly(size + 1), size, mark);
}

void *allocate_exact(size_t size, uint32_t mark) {
  return begin_small(heap::allocate_slowly(size), size, mark);
}

void *allocate_aligned(size_t alignment, size_t size, uint32_t mark) {
  if (alignment <= heap::kGranule)
    return allocate(size, mark);
  if (size < heap::kLargestSmall && alignment <= heap::kPageSize)
    return begin_small(heap::allocate_aligned(alignment, size + 1), size, mark);
  return begin_large(alignment, size, mark);
}

void *resize(void *address, size_t size, uint32_t mark) {
  heap::Object object = heap::find_object(address);
  if (!object.live || object.start != reinterpret_cast<uintptr_t>(address))
    heap::stop_with("realloc(): invalid pointer\n");
  if (object.size_class == heap::kLargeClass) {
    auto page = static_cast<uint32_t>((object.start - heap::g_arena.base) >> heap::kPageShift);
    uint32_t dirty_from = 0;
    if (size >= heap::kLargestSmall && heap::resize_large(page, size + 1, &dirty_from)) {
      heap::Object now = heap::find_object(address);
      auto from = reinterpret_cast<uintptr_t>(heap::page_address(dirty_from));
      if (from < now.start + now.size)
        __builtin_memset(reinterpret_cast<void *>(from), 0, now.start + now.size - from);
      count_slowly(size > object.size ? size - object.size : 0);
      return address;
    }
  } else if (size < object.size && size + 1 >= object.size / 2) {
    return address; // as heap::resize
  }
  void *result = allocate(size, mark);
  if (!result)
    return nullptr;
  size_t copied = size < object.size ? size : object.size;
  __builtin_memcpy(result, address, copied);
  dirty_range(reinterpret_cast<uintptr_t>(result), copied);
  heap::free(address);
  return result;
}

void keep_native(const heap::Object &object) {
  if (!object.live)
    return;
  if (Ref ref = ref_of(object))
    __atomic_fetch_or(&g_marks[ref], kNativeMark, __ATOMIC_RELAXED);
  make_sticky(object.start, object.size);
}

} // namespace culprit::monitor
