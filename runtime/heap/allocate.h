// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap as the malloc family sees it: allocate, free, resize. Sizes are already checked against
// PTRDIFF_MAX. The fast paths are here, inline: one thread-local load, one table load, pop or push,
// one live byte.
#pragma once

#include "runtime/heap/object.h"
#include "runtime/heap/thread_cache.h"

namespace culprit::heap {

constexpr size_t kLargestRequest = PTRDIFF_MAX;

// Requests below this take the fast path: a variable, so that a monitor flavour can send every
// request of code it does not see to the slow path (limit 0) at no cost to the others.
extern size_t g_fast_limit;

void *allocate_slowly(size_t size); // any size; null when memory is out
void free_slowly(void *address);    // large blocks, foreign addresses, full caches
void *allocate_aligned(size_t alignment, size_t size); // alignment: a power of two
void *allocate_zeroed(size_t size);
void *resize(void *address, size_t size); // address not null, size not 0

// Ends the process as libc's allocator does: one line on descriptor 2, then SIGABRT.
// The class of small blocks of so many bytes that all have this alignment.
unsigned class_of_aligned(size_t alignment, size_t size);

[[noreturn]] void stop_with(const char *message);

// One block of the class, and back: for who sees to the live bytes himself. 0: memory is out.
inline Entry take_entry(unsigned size_class) {
  ThreadCache *cache = g_cache;
  if (!cache) [[unlikely]]
    return take_slowly(size_class);
  Stack &stack = cache->stacks[size_class];
  if (stack.top == stack.bottom) [[unlikely]]
    return take_slowly(size_class);
  return *--stack.top;
}

inline void give_entry(unsigned size_class, Entry entry) {
  ThreadCache *cache = g_cache;
  if (!cache) [[unlikely]]
    return give_slowly(size_class, entry);
  Stack &stack = cache->stacks[size_class];
  if (stack.top == stack.limit) [[unlikely]]
    return give_slowly(size_class, entry);
  *stack.top++ = entry;
}

// `slowly` takes over, as a tail call, whatever the fast path cannot do.
inline void *allocate_with(size_t size, void *(*slowly)(size_t)) {
  ThreadCache *cache = g_cache;
  if (size >= g_fast_limit || !cache) [[unlikely]]
    return slowly(size);
  Stack &stack = cache->stacks[class_by_table(size)];
  Entry *top = stack.top;
  if (top == stack.bottom) [[unlikely]]
    return slowly(size);
  Entry entry = *--top;
  stack.top = top;
  mark_live(entry);
  return reinterpret_cast<void *>(entry_start(entry));
}

inline void *allocate(size_t size) { return allocate_with(size, allocate_slowly); }

// `leave` is told start and size of a small block while it is still the caller's.
template <typename Leave>
inline void free_with(void *address, void (*slowly)(void *), Leave leave) {
  uintptr_t offset = reinterpret_cast<uintptr_t>(address) - g_arena.base;
  ThreadCache *cache = g_cache;
  if (offset >= g_arena.freed_fast || !cache) [[unlikely]]
    return slowly(address);
  uint64_t entry = g_arena.page_table[offset >> kPageShift];
  unsigned size_class = entry_class(entry);
  uintptr_t in_span = (offset & (kPageSize - 1)) + (uintptr_t{entry_back(entry)} << kPageShift);
  size_t slot = slot_of(size_class, in_span);
  if (size_class - 1 >= kClassCount - 1 || slot * kClasses.of[size_class].size != in_span)
      [[unlikely]]
    return slowly(address);
  uint8_t &live = g_arena.live[entry_number(entry) + slot];
  Stack &stack = cache->stacks[size_class];
  Entry *top = stack.top;
  if (live != 1 || top == stack.limit) [[unlikely]]
    return slowly(address);
  leave(reinterpret_cast<uintptr_t>(address), kClasses.of[size_class].size);
  __atomic_store_n(&live, 0, __ATOMIC_RELAXED);
  // Without asking whether it is set: a branch costs more than the store. The byte is read by
  // metric points, which then need not look at the live bytes of other pages.
  __atomic_store_n(&g_arena.free_marks[offset >> kPageShift], 1, __ATOMIC_RELAXED);
  *top = make_entry(reinterpret_cast<uintptr_t>(address), slot);
  stack.top = top + 1;
}

inline void free_with(void *address, void (*slowly)(void *)) {
  free_with(address, slowly, [](uintptr_t, size_t) {});
}

inline void free(void *address) { free_with(address, free_slowly); }

} // namespace culprit::heap
