// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ALLOCATOR hooks of abi/hooks.def for C: what malloc and its family are in code the pass sees.
// Errors are those of malloc.cpp.
#include "runtime/monitor/allocation.h"
#include "runtime/monitor/state.h"

#include <errno.h>

using namespace culprit;
using monitor::Room;

#define CULPRIT_HOOK extern "C" __attribute__((visibility("default")))

namespace {

constexpr size_t kOsPage = os::kOsPage;

void *refuse(int error) {
  errno = error;
  return nullptr;
}

void *or_enomem(void *block) {
  if (!block) [[unlikely]]
    errno = ENOMEM;
  return block;
}

bool is_power_of_two(size_t value) { return value && !(value & (value - 1)); }

void *aligned(size_t alignment, size_t size) {
  if (size >= heap::kLargestRequest || alignment > heap::kLargestRequest)
    return refuse(ENOMEM);
  return or_enomem(monitor::allocate_aligned(alignment, size, monitor::current_context()));
}

char *copy_text(const char *text, size_t length) {
  auto *copy =
      static_cast<char *>(or_enomem(monitor::allocate(length + 1, monitor::current_context())));
  if (!copy)
    return nullptr;
  __builtin_memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

// A constructor of another module may be the first to allocate.
[[gnu::noinline]] void *malloc_slowly(size_t size) {
  if (size >= heap::kLargestRequest)
    return refuse(ENOMEM);
  monitor::ensure();
  return or_enomem(monitor::allocate(size, monitor::current_context()));
}

[[gnu::noinline]] void *calloc_slowly(size_t size) {
  if (size >= heap::kLargestRequest)
    return refuse(ENOMEM);
  monitor::ensure();
  return or_enomem(monitor::allocate(size, monitor::current_context(), true));
}

template <bool kLone, bool kZeroed> [[gnu::noinline]] void *exact_slowly(size_t size) {
  monitor::ensure();
  return or_enomem(monitor::allocate_exact(size, monitor::current_context(), kLone, kZeroed));
}

} // namespace

CULPRIT_HOOK void *__culprit_malloc(size_t size) {
  return monitor::allocate_more<Room::end>(size, malloc_slowly);
}

CULPRIT_HOOK void *__culprit_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    return refuse(ENOMEM);
  return monitor::allocate_more<Room::end, true>(bytes, calloc_slowly);
}

// At most CULPRIT_EXACT_SIZE bytes: see abi/hooks.def.
CULPRIT_HOOK void *__culprit_malloc_exact(size_t size) {
  return monitor::allocate_more<Room::exact>(size, exact_slowly<false, false>);
}

CULPRIT_HOOK void *__culprit_calloc_exact(size_t count, size_t size) {
  return monitor::allocate_more<Room::exact, true>(count * size, exact_slowly<false, true>);
}

CULPRIT_HOOK void *__culprit_malloc_lone(size_t size) {
  return monitor::allocate_more<Room::lone>(size, exact_slowly<true, false>);
}

CULPRIT_HOOK void *__culprit_calloc_lone(size_t count, size_t size) {
  return monitor::allocate_more<Room::lone, true>(count * size, exact_slowly<true, true>);
}

CULPRIT_HOOK void *__culprit_realloc(void *address, size_t size) {
  if (!address)
    return __culprit_malloc(size);
  if (!size) {
    monitor::release(address);
    return nullptr;
  }
  if (size >= heap::kLargestRequest)
    return refuse(ENOMEM);
  return or_enomem(monitor::resize(address, size, monitor::current_context()));
}

CULPRIT_HOOK void *__culprit_reallocarray(void *address, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    return refuse(ENOMEM);
  return __culprit_realloc(address, bytes);
}

CULPRIT_HOOK void *__culprit_memalign(size_t alignment, size_t size) {
  if (alignment > heap::kLargestRequest / 2 + 1)
    return refuse(EINVAL);
  size_t power = heap::kGranule;
  while (power < alignment)
    power *= 2;
  return aligned(power, size);
}

CULPRIT_HOOK void *__culprit_aligned_alloc(size_t alignment, size_t size) {
  return is_power_of_two(alignment) ? aligned(alignment, size) : refuse(EINVAL);
}

CULPRIT_HOOK int __culprit_posix_memalign(void **result, size_t alignment, size_t size) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void *))
    return EINVAL;
  if (size >= heap::kLargestRequest || alignment > heap::kLargestRequest)
    return ENOMEM;
  void *block = monitor::allocate_aligned(alignment, size, monitor::current_context());
  if (!block)
    return ENOMEM;
  *result = block;
  monitor::after_store(static_cast<const void *>(result));
  return 0;
}

CULPRIT_HOOK void *__culprit_valloc(size_t size) { return aligned(kOsPage, size); }

CULPRIT_HOOK char *__culprit_strdup(const char *text) {
  size_t length = 0;
  while (text[length])
    ++length;
  return copy_text(text, length);
}

CULPRIT_HOOK char *__culprit_strndup(const char *text, size_t max) {
  size_t length = 0;
  while (length < max && text[length])
    ++length;
  return copy_text(text, length);
}
