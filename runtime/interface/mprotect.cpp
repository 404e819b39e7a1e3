// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mprotect, in programs that run as they are: metric points read the heap, and are to know what
// they cannot read.
#include "runtime/monitor/unreadable.h"
#include "runtime/os/memory.h"

#include <errno.h>

using namespace culprit;

extern "C" __attribute__((visibility("default"))) int mprotect(void *start, size_t size,
                                                               int rights) noexcept {
  const auto at = reinterpret_cast<uintptr_t>(start);
  const bool ours = heap::g_arena.size && at < heap::g_arena.base + heap::g_arena.size &&
                    at + size > heap::g_arena.base;
  const int error =
      ours ? monitor::change_rights(at, size, rights) : os::change_rights(at, size, rights);
  if (!error)
    return 0;
  errno = error;
  return -1;
}
