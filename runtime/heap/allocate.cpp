// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See allocate.h.
#include "runtime/heap/allocate.h"

#include "runtime/os/process.h"

#include <stdlib.h>

namespace culprit::heap {

size_t g_fast_limit = kTableLimit + 1;

namespace {

// The smallest class whose blocks are all multiples of `alignment` (spans start at multiples of 64
// KiB).
void *allocate_in_class(unsigned size_class) {
  Entry entry = take_entry(size_class);
  if (!entry)
    return nullptr;
  mark_live(entry);
  return reinterpret_cast<void *>(entry_start(entry));
}

} // namespace

unsigned class_of_aligned(size_t alignment, size_t size) {
  unsigned number = class_of_size(size < alignment ? alignment : size);
  while (kClasses.of[number].size & (alignment - 1))
    ++number; // ends: every power of two up to kLargestSmall is a class
  return number;
}

void stop_with(const char *message) {
  os::write_error(message);
  abort();
}

void *allocate_slowly(size_t size) {
  if (size <= kLargestSmall)
    return allocate_in_class(class_of_size(size));
  return take_large(size, 1).start;
}

void free_slowly(void *address) {
  if (!address)
    return;
  Object object = find_object(address);
  if (object.start != reinterpret_cast<uintptr_t>(address))
    stop_with("free(): invalid pointer\n");
  if (object.size_class == kLargeClass) {
    if (!give_large(static_cast<uint32_t>((object.start - g_arena.base) >> kPageShift)))
      stop_with("free(): double free detected\n");
    return;
  }
  size_t slot = object.number - entry_number(entry_of(object.start));
  uint8_t &live = g_arena.live[object.number];
  if (live != 1)
    stop_with("free(): double free detected\n");
  __atomic_store_n(&live, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&g_arena.free_marks[(object.start - g_arena.base) >> kPageShift], 1,
                   __ATOMIC_RELAXED);
  give_slowly(object.size_class, make_entry(object.start, slot));
}

void *allocate_aligned(size_t alignment, size_t size) {
  if (alignment <= kGranule)
    return allocate(size);
  if (size <= kLargestSmall && alignment <= kPageSize)
    return allocate_in_class(class_of_aligned(alignment, size));
  return take_large(size ? size : 1, alignment).start;
}

void *allocate_zeroed(size_t size) {
  if (size > kLargestSmall) {
    LargeBlock block = take_large(size, 1);
    if (block.start && !block.zeroed)
      __builtin_memset(block.start, 0, size);
    return block.start;
  }
  void *result = allocate(size);
  if (result)
    __builtin_memset(result, 0, size);
  return result;
}

void *resize(void *address, size_t size) {
  Object object = find_object(address);
  if (!object.live || object.start != reinterpret_cast<uintptr_t>(address))
    stop_with("realloc(): invalid pointer\n");
  if (object.size_class == kLargeClass) {
    if (size > kLargestSmall &&
        resize_large(static_cast<uint32_t>((object.start - g_arena.base) >> kPageShift), size))
      return address;
  } else if (size <= object.size && size >= object.size / 2) {
    return address; // shrinking by less than half stays: the copy would cost more than the bytes
  }
  void *result = allocate(size);
  if (!result)
    return nullptr;
  __builtin_memcpy(result, address, size < object.size ? size : object.size);
  free(address);
  return result;
}

} // namespace culprit::heap
