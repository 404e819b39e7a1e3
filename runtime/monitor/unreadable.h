// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of the heap that cannot be read: a program may take the right away (mprotect: guard pages
// of stacks that it allocates, keys that it hides), and a metric point that read there would end
// it. Words there count as zero until they can be read again.
//
// Whoever changes rights holds the point lock: no point reads while they change.
#pragma once

#include "runtime/heap/arena.h"

namespace culprit::monitor {

extern uint8_t *g_unreadable; // one per OS page of the arena; null until there is one

inline bool is_unreadable(uintptr_t address) {
  return g_unreadable && g_unreadable[(address - heap::g_arena.base) / os::kOsPage];
}

// Changes the rights of whole OS pages, part of which lie in the arena. 0, or the kernel's error
// number.
int change_rights(uintptr_t start, size_t size, int rights);

} // namespace culprit::monitor
