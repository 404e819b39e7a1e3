// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// operator new and delete in all their forms. Failure is libstdc++'s business: its new-handler is
// asked and its std::bad_alloc thrown, both through weak references, so that a C program links
// without libstdc++. A fully static C++ program has them only if it names them: link it with -u
// _ZSt17__throw_bad_allocv -u _ZSt15get_new_handlerv (docs/allocator.md).
#include "runtime/explain/flavour.h"
#include "runtime/heap/allocate.h"
#include "runtime/interface/give_back.h"
#include "runtime/locate/blocks.h"
#include "runtime/locate/flavour.h"
#include "runtime/monitor/allocation.h"
#include "runtime/monitor/unseen_writes.h"

using namespace culprit;
using monitor::Room;

// The names libstdc++ gives these, without its headers.
// NOLINTBEGIN(cert-dcl58-cpp,readability-identifier-naming)
namespace std {
enum class align_val_t : size_t {};
struct nothrow_t {};
using new_handler = void (*)();
__attribute__((weak, visibility("default"))) new_handler get_new_handler() noexcept;
[[noreturn]] __attribute__((weak, visibility("default"))) void __throw_bad_alloc();
} // namespace std
// NOLINTEND(cert-dcl58-cpp,readability-identifier-naming)

namespace {

// `mark`: see monitor/allocation.h.
void *try_once(size_t size, size_t alignment, uint32_t mark) {
  if (size > heap::kLargestRequest || alignment > heap::kLargestRequest)
    return nullptr;
  [[maybe_unused]] interface::Outermost call;
  if (explain::g_indexing)
    return explain::index_block(heap::allocate_aligned(alignment, size), size);
  if (monitor::ensure())
    return monitor::allocate_aligned(alignment, size, mark);
  if (locate::ensure())
    return locate::allocate(size, alignment, false);
  // What the C library keeps for itself comes from malloc; of the C++ library it is what it keeps
  // for the program.
  return explain::owned(
      explain::noted(heap::allocate_aligned(alignment, explain::with_end(size)), size));
}

// A handler may throw: then the exception passes through this frame, which holds nothing to unwind.
void *try_with_handler(size_t size, size_t alignment, uint32_t mark = monitor::native_mark()) {
  for (;;) {
    if (void *block = try_once(size, alignment, mark))
      return block;
    std::new_handler handler = std::get_new_handler ? std::get_new_handler() : nullptr;
    if (!handler)
      return nullptr;
    handler();
  }
}

[[gnu::noinline]] void *new_slowly_aligned(size_t size, size_t alignment,
                                           uint32_t mark = monitor::native_mark()) {
  if (void *block = try_with_handler(size, alignment, mark))
    return block;
  if (std::__throw_bad_alloc)
    std::__throw_bad_alloc();
  heap::stop_with("operator new: out of memory\n");
}

[[gnu::noinline]] void *new_slowly(size_t size) {
  if (explain::g_indexing && size <= heap::kLargestRequest) [[likely]]
    if (void *block = explain::allocate_indexed(size)) [[likely]]
      return block;
  return new_slowly_aligned(size, 1);
}

// libstdc++'s nothrow forms turn a handler's exception into null. That takes a catch, and a catch
// takes libstdc++: here the exception goes on to the caller. A handler that throws out of a nothrow
// new is the one difference.
[[gnu::noinline]] void *new_nothrow_slowly(size_t size) { return try_with_handler(size, 1); }

} // namespace

#define CULPRIT_PUBLIC __attribute__((visibility("default")))

CULPRIT_PUBLIC void *operator new(size_t size) { return heap::allocate_with(size, new_slowly); }
CULPRIT_PUBLIC void *operator new[](size_t size) { return heap::allocate_with(size, new_slowly); }
CULPRIT_PUBLIC void *operator new(size_t size, const std::nothrow_t &) noexcept {
  return heap::allocate_with(size, new_nothrow_slowly);
}
CULPRIT_PUBLIC void *operator new[](size_t size, const std::nothrow_t &) noexcept {
  return heap::allocate_with(size, new_nothrow_slowly);
}
CULPRIT_PUBLIC void *operator new(size_t size, std::align_val_t alignment) {
  return new_slowly_aligned(size, static_cast<size_t>(alignment));
}
CULPRIT_PUBLIC void *operator new[](size_t size, std::align_val_t alignment) {
  return new_slowly_aligned(size, static_cast<size_t>(alignment));
}
CULPRIT_PUBLIC void *operator new(size_t size, std::align_val_t alignment,
                                  const std::nothrow_t &) noexcept {
  return try_with_handler(size, static_cast<size_t>(alignment));
}
CULPRIT_PUBLIC void *operator new[](size_t size, std::align_val_t alignment,
                                    const std::nothrow_t &) noexcept {
  return try_with_handler(size, static_cast<size_t>(alignment));
}

CULPRIT_PUBLIC void operator delete(void *address) noexcept { interface::give_back(address); }
CULPRIT_PUBLIC void operator delete[](void *address) noexcept { interface::give_back(address); }
CULPRIT_PUBLIC void operator delete(void *address, size_t) noexcept {
  interface::give_back(address);
}
CULPRIT_PUBLIC void operator delete[](void *address, size_t) noexcept {
  interface::give_back(address);
}
CULPRIT_PUBLIC void operator delete(void *address, const std::nothrow_t &) noexcept {
  interface::give_back(address);
}
CULPRIT_PUBLIC void operator delete[](void *address, const std::nothrow_t &) noexcept {
  interface::give_back(address);
}
CULPRIT_PUBLIC void operator delete(void *address, std::align_val_t) noexcept {
  interface::give_back(address);
}
CULPRIT_PUBLIC void operator delete[](void *address, std::align_val_t) noexcept {
  interface::give_back(address);
}
CULPRIT_PUBLIC void operator delete(void *address, size_t, std::align_val_t) noexcept {
  interface::give_back(address);
}
CULPRIT_PUBLIC void operator delete[](void *address, size_t, std::align_val_t) noexcept {
  interface::give_back(address);
}
CULPRIT_PUBLIC void operator delete(void *address, std::align_val_t,
                                    const std::nothrow_t &) noexcept {
  interface::give_back(address);
}
CULPRIT_PUBLIC void operator delete[](void *address, std::align_val_t,
                                      const std::nothrow_t &) noexcept {
  interface::give_back(address);
}

// The ALLOCATOR hooks of abi/hooks.def: operator new in code the pass sees.

namespace {

void *seen_new_aligned(size_t size, size_t alignment) {
  return new_slowly_aligned(size, alignment, monitor::current_context());
}

[[gnu::noinline]] void *seen_new_slowly(size_t size) {
  monitor::ensure(); // a constructor of another module may be the first to allocate
  return seen_new_aligned(size, 1);
}

template <bool kLone> [[gnu::noinline]] void *seen_new_exact_slowly(size_t size) {
  monitor::ensure();
  if (void *block = monitor::allocate_exact(size, monitor::current_context(), kLone))
    return block;
  return seen_new_aligned(size, 1);
}

void *seen_new_nothrow(size_t size, size_t alignment) {
  return try_with_handler(size, alignment, monitor::current_context());
}

} // namespace

#define CULPRIT_HOOK extern "C" CULPRIT_PUBLIC

CULPRIT_HOOK void *__culprit_new(size_t size) {
  return monitor::allocate_more<Room::end>(size, seen_new_slowly);
}
CULPRIT_HOOK void *__culprit_new_exact(size_t size) {
  return monitor::allocate_more<Room::exact>(size, seen_new_exact_slowly<false>);
}
CULPRIT_HOOK void *__culprit_new_lone(size_t size) {
  return monitor::allocate_more<Room::lone>(size, seen_new_exact_slowly<true>);
}
CULPRIT_HOOK void *__culprit_new_array(size_t size) {
  return monitor::allocate_more<Room::end>(size, seen_new_slowly);
}
CULPRIT_HOOK void *__culprit_new_nothrow(size_t size, const std::nothrow_t &) {
  return seen_new_nothrow(size, 1);
}
CULPRIT_HOOK void *__culprit_new_array_nothrow(size_t size, const std::nothrow_t &) {
  return seen_new_nothrow(size, 1);
}
CULPRIT_HOOK void *__culprit_new_aligned(size_t size, std::align_val_t alignment) {
  return seen_new_aligned(size, static_cast<size_t>(alignment));
}
CULPRIT_HOOK void *__culprit_new_array_aligned(size_t size, std::align_val_t alignment) {
  return seen_new_aligned(size, static_cast<size_t>(alignment));
}
CULPRIT_HOOK void *__culprit_new_aligned_nothrow(size_t size, std::align_val_t alignment,
                                                 const std::nothrow_t &) {
  return seen_new_nothrow(size, static_cast<size_t>(alignment));
}
CULPRIT_HOOK void *__culprit_new_array_aligned_nothrow(size_t size, std::align_val_t alignment,
                                                       const std::nothrow_t &) {
  return seen_new_nothrow(size, static_cast<size_t>(alignment));
}
