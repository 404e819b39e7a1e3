// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See allocation.h.
#include "runtime/monitor/allocation.h"

#include "runtime/heap/turn.h"
#include "runtime/monitor/point.h"
#include "runtime/monitor/unseen_writes.h"

namespace culprit::monitor {
namespace {

void dress(const heap::Object &object, uint32_t mark) {
  if (Ref ref = ref_of(object))
    dress_ref(ref, mark, g_features);
  if (mark & kNativeMark)
    make_sticky(object.start, object.size);
  else if (object.size_class != heap::kLargeClass)
    dirty_range(object.start, object.size > kNarrow ? object.size : 1);
  // Of a large block the graph knows its birth: it begins without edges and without marks.
}

void count_slowly(size_t size) {
  if (!count_allocation(size) || heap::is_second_turn())
    return;
  drain_allocations();
  // No function entry will notice.
  if (is_unmodified() && __culprit_countdown < 0)
    work_done(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}

// `size`: what was asked for.
void give_names(const heap::Object &object, size_t size, uint32_t mark) {
  if (has_access_sets())
    access::name_block(object.start, object.size, size, mark);
}

void *begin_small(void *block, size_t size, uint32_t mark, bool zeroed) {
  if (!block)
    return nullptr;
  heap::Object object = heap::find_object(block);
  if (zeroed || has_heap_graph())
    zero_block(object.start, object.size);
  // A thread that is ending has no place for the note: its blocks are always looked at.
  if (heap::ThreadCache *cache = heap::g_cache; cache && object.size <= kNarrow)
    note_newest(cache, object.start);
  else if (!cache)
    mark |= kNativeMark;
  dress(object, mark);
  give_names(object, size, mark);
  count_slowly(size);
  return block;
}

uint32_t page_of(const heap::Object &object) {
  return static_cast<uint32_t>((object.start - heap::g_arena.base) >> heap::kPageShift);
}

void *begin_large(size_t alignment, size_t size, uint32_t mark, bool zeroed) {
  heap::LargeBlock block = heap::take_large(size + 1, alignment);
  if (!block.start)
    return nullptr;
  heap::Object object = heap::find_object(block.start);
  if (!block.zeroed && (zeroed || has_heap_graph())) {
    __builtin_memset(block.start, 0, object.size);
    heap::large_was_zeroed(page_of(object), false);
  }
  dress(object, mark);
  give_names(object, size, mark);
  count_slowly(size);
  return block.start;
}

// A block that stays where it is when it is resized is named as if it had moved: its name must not
// depend on what lies behind it.
void rename(const heap::Object &object, size_t size, uint32_t mark) {
  if (!has_access_sets())
    return;
  if (Ref ref = ref_of(object)) {
    uint32_t old = __atomic_load_n(&g_marks[ref], __ATOMIC_RELAXED);
    __atomic_store_n(&g_marks[ref], mark | (old & kNativeMark), __ATOMIC_RELAXED);
  }
  give_names(object, size, mark);
}

} // namespace

void *finish_block(uintptr_t start, size_t size, uint32_t mark) {
  if (has_heap_graph())
    dirty_in_arena(start);
  if (has_access_sets())
    give_names(heap::find_object(reinterpret_cast<const void *>(start)), size, mark);
  if (g_thread_work.spent >= kAllocationLump) {
    drain_allocations();
    // A loop that allocates and enters no function would have no point otherwise. The block's card
    // stays marked (note_newest), so what is stored into it next is not lost.
    if (__culprit_countdown < 0)
      work_done(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  }
  return reinterpret_cast<void *>(start);
}

void *allocate(size_t size, uint32_t mark, bool zeroed) {
  if (size >= heap::kLargestSmall)
    return begin_large(1, size, mark, zeroed);
  return begin_small(heap::allocate_slowly(size + more_for(Room::end, g_features)), size, mark,
                     zeroed);
}

void *allocate_exact(size_t size, uint32_t mark, bool lone, bool zeroed) {
  size_t more = more_for(lone ? Room::lone : Room::exact, g_features);
  return begin_small(heap::allocate_slowly(size + more), size, mark, zeroed);
}

void *allocate_aligned(size_t alignment, size_t size, uint32_t mark) {
  if (alignment <= heap::kGranule)
    return allocate(size, mark);
  if (size < heap::kLargestSmall && alignment <= heap::kPageSize)
    return begin_small(heap::allocate_aligned(alignment, size + 1), size, mark, false);
  return begin_large(alignment, size, mark, false);
}

void *resize(void *address, size_t size, uint32_t mark) {
  heap::Object object = heap::find_object(address);
  if (!object.live || object.start != reinterpret_cast<uintptr_t>(address))
    heap::stop_with("realloc(): invalid pointer\n");
  if (object.size_class == heap::kLargeClass) {
    uint32_t dirty_from = 0;
    if (size >= heap::kLargestSmall && heap::resize_large(page_of(object), size + 1, &dirty_from)) {
      heap::Object now = heap::find_object(address);
      auto from = reinterpret_cast<uintptr_t>(heap::page_address(dirty_from));
      if (has_heap_graph() && from < now.start + now.size) {
        __builtin_memset(reinterpret_cast<void *>(from), 0, now.start + now.size - from);
        heap::large_was_zeroed(page_of(now), true);
      }
      rename(now, size, mark);
      count_slowly(size > object.size ? size - object.size : 0);
      return address;
    }
  } else if (size < object.size && size + 1 >= object.size / 2) {
    rename(object, size, mark);
    return address; // as heap::resize
  }
  void *result = allocate(size, mark);
  if (!result)
    return nullptr;
  size_t copied = size < object.size ? size : object.size;
  __builtin_memcpy(result, address, copied);
  dirty_range(reinterpret_cast<uintptr_t>(result), copied);
  release(address);
  return result;
}

void leave_any(const void *address) {
  if (!has_access_sets())
    return;
  heap::Object object = heap::find_object(address);
  if (object.live && object.start == reinterpret_cast<uintptr_t>(address))
    access::name_freed(object.start, object.size);
}

void release(void *address) {
  leave_any(address);
  heap::free(address);
}

void keep_native(const heap::Object &object) {
  if (!object.live)
    return;
  if (Ref ref = ref_of(object))
    __atomic_fetch_or(&g_marks[ref], kNativeMark, __ATOMIC_RELAXED);
  make_sticky(object.start, object.size);
}

} // namespace culprit::monitor
