// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The malloc family of C, as ISO C, POSIX and the GNU manual describe it, over heap/allocate.h.
// Defined here they replace libc's in the executable and in every shared object it loads. In a
// monitor flavour, code the pass sees calls the hooks of monitor_malloc.cpp instead: who comes here
// is unseen native code.
#include "runtime/access/blocks.h"
#include "runtime/explain/flavour.h"
#include "runtime/heap/allocate.h"
#include "runtime/interface/give_back.h"
#include "runtime/locate/blocks.h"
#include "runtime/locate/flavour.h"
#include "runtime/monitor/allocation.h"
#include "runtime/monitor/unseen_writes.h"

#include <errno.h>

using namespace culprit;

#define CULPRIT_PUBLIC extern "C" __attribute__((visibility("default")))

namespace {

constexpr size_t kOsPage = os::kOsPage;

void *or_enomem(void *block) {
  if (!block) [[unlikely]]
    errno = ENOMEM;
  return block;
}

void *refuse(int error) {
  errno = error;
  return nullptr;
}

bool is_power_of_two(size_t value) { return value && !(value & (value - 1)); }

void *aligned(size_t alignment, size_t size) {
  if (size > heap::kLargestRequest || alignment > heap::kLargestRequest)
    return refuse(ENOMEM);
  [[maybe_unused]] interface::Outermost call;
  if (monitor::ensure())
    return or_enomem(monitor::allocate_aligned(alignment, size, monitor::native_mark()));
  if (locate::ensure())
    return or_enomem(locate::allocate(size, alignment, false));
  return or_enomem(
      explain::noted(heap::allocate_aligned(alignment, explain::with_end(size)), size));
}

[[gnu::noinline]] void *allocate_or_enomem(size_t size) {
  if (size > heap::kLargestRequest)
    return refuse(ENOMEM);
  [[maybe_unused]] interface::Outermost call;
  if (explain::g_indexing) [[likely]]
    return or_enomem(explain::allocate_indexed(size));
  if (monitor::ensure())
    return or_enomem(monitor::allocate(size, monitor::native_mark()));
  if (locate::ensure())
    return or_enomem(locate::allocate(size, 1, false));
  return or_enomem(explain::noted(heap::allocate_slowly(explain::with_end(size)), size));
}

} // namespace

[[gnu::noinline]] void interface::give_back_slowly(void *address) {
  if (locate::ensure())
    return locate::release(address);
  explain::uproot(address);
  monitor::leave_any(address);
  heap::free_slowly(address);
}

CULPRIT_PUBLIC void *malloc(size_t size) {
  // The fast path again, so that failing does not cost it a frame.
  return heap::allocate_with(size, allocate_or_enomem);
}

CULPRIT_PUBLIC void free(void *address) { interface::give_back(address); }

CULPRIT_PUBLIC void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > heap::kLargestRequest)
    return refuse(ENOMEM);
  [[maybe_unused]] interface::Outermost call;
  if (monitor::ensure()) [[unlikely]]
    return or_enomem(monitor::allocate(bytes, monitor::native_mark(), true));
  if (locate::ensure()) [[unlikely]]
    return or_enomem(locate::allocate(bytes, 1, true));
  return or_enomem(explain::noted(heap::allocate_zeroed(explain::with_end(bytes)), bytes, true));
}

CULPRIT_PUBLIC void *realloc(void *address, size_t size) {
  if (!address)
    return malloc(size);
  if (!size) { // glibc's choice among those the standard leaves open
    interface::give_back(address);
    return nullptr;
  }
  if (size > heap::kLargestRequest)
    return refuse(ENOMEM);
  [[maybe_unused]] interface::Outermost call;
  if (monitor::ensure()) [[unlikely]]
    return or_enomem(monitor::resize(address, size, monitor::native_mark()));
  if (locate::ensure()) [[unlikely]]
    return or_enomem(locate::resize(address, size));
  if (explain::g_on) [[unlikely]] {
    size_t before = explain::noted_size(address);
    return or_enomem(
        explain::note_resized(heap::resize(address, explain::with_end(size)), size, before));
  }
  explain::uproot(address);
  return or_enomem(explain::indexed(heap::resize(address, size), size));
}

CULPRIT_PUBLIC void *reallocarray(void *address, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    return refuse(ENOMEM);
  return realloc(address, bytes);
}

CULPRIT_PUBLIC void *memalign(size_t alignment, size_t size) {
  if (alignment > heap::kLargestRequest / 2 + 1)
    return refuse(EINVAL);
  size_t power = heap::kGranule; // glibc rounds other alignments up
  while (power < alignment)
    power *= 2;
  return aligned(power, size);
}

CULPRIT_PUBLIC void *aligned_alloc(size_t alignment, size_t size) {
  if (!is_power_of_two(alignment))
    return refuse(EINVAL);
  return aligned(alignment, size);
}

CULPRIT_PUBLIC int posix_memalign(void **result, size_t alignment, size_t size) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void *))
    return EINVAL;
  if (size > heap::kLargestRequest || alignment > heap::kLargestRequest)
    return ENOMEM;
  [[maybe_unused]] interface::Outermost call;
  void *block =
      monitor::ensure() ? monitor::allocate_aligned(alignment, size, monitor::native_mark())
      : locate::ensure()
          ? locate::allocate(size, alignment, false)
          : explain::noted(heap::allocate_aligned(alignment, explain::with_end(size)), size);
  if (!block)
    return ENOMEM;
  *result = block;
  return 0;
}

CULPRIT_PUBLIC void *valloc(size_t size) { return aligned(kOsPage, size); }

CULPRIT_PUBLIC void *pvalloc(size_t size) {
  if (size > heap::kLargestRequest - kOsPage)
    return refuse(ENOMEM);
  size_t whole = (size + kOsPage - 1) & ~(kOsPage - 1);
  return aligned(kOsPage, whole ? whole : kOsPage);
}

CULPRIT_PUBLIC size_t malloc_usable_size(void *address) {
  if (locate::ensure())
    return locate::usable_size(address);
  heap::Object object = heap::find_object(address);
  if (!explain::is_alive(object) || object.start != reinterpret_cast<uintptr_t>(address))
    return 0;
  // What lies behind the bytes asked for has a name of its own there, and writing it would be told.
  return monitor::has_access_sets() ? access::usable_size(object) : object.size;
}
