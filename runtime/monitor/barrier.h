// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slow half of the compiled barrier, for addresses inside the arena: counted as work, since a
// loop without calls may do nothing but link. The option verify=2 drops some marks here, so that a
// test can see that verification finds what is missing.
#pragma once

#include "runtime/monitor/cards.h"
#include "runtime/monitor/contexts.h"
#include "runtime/monitor/pacing.h"

namespace culprit::monitor {

extern uint32_t g_drop_every; // 0: none
extern uint32_t g_drop_count;

inline void dirty_after_store(uintptr_t address) {
  if (g_drop_every && ++g_drop_count % g_drop_every == 0) [[unlikely]]
    return;
  dirty_in_arena(address);
  __culprit_countdown += g_allocation_work; // one unit, none with the option `every`
  g_thread_work.unentered -= static_cast<uint64_t>(g_allocation_work);
}

} // namespace culprit::monitor
