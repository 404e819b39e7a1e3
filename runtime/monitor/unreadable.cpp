// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See unreadable.h.
#include "runtime/monitor/unreadable.h"

#include "runtime/monitor/cards.h"
#include "runtime/monitor/point.h"
#include "runtime/os/memory.h"

namespace culprit::monitor {

uint8_t *g_unreadable;

namespace {

void note(uintptr_t from, uintptr_t to, bool readable) {
  if (!g_unreadable && (readable || !os::map_table(g_unreadable, heap::kArenaSize / os::kOsPage)))
    return;
  for (uintptr_t page = from; page < to; page += os::kOsPage)
    g_unreadable[(page - heap::g_arena.base) / os::kOsPage] = !readable;
  dirty_range(from, to - from); // what was read there is to be read again
}

} // namespace

int change_rights(uintptr_t start, size_t size, int rights) {
  const uintptr_t arena = heap::g_arena.base;
  const uintptr_t from = start > arena ? start : arena;
  uintptr_t to = (start + size + os::kOsPage - 1) & ~(os::kOsPage - 1);
  to = to < arena + heap::g_arena.size ? to : arena + heap::g_arena.size;
  lock_points();
  const int error = os::change_rights(start, size, rights);
  if (!error && from < to)
    note(from, to, os::can_read(rights));
  unlock_points();
  return error;
}

} // namespace culprit::monitor
