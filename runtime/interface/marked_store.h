// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A store of a pointer into memory of the target, with the barrier the pass would have put behind
// it. In flavours without a monitor only the store is left.
#pragma once

#include "runtime/monitor/cards.h"
#include "runtime/monitor/state.h"

namespace culprit::monitor {

template <typename T> inline void put(T *&place, T *value) {
  __atomic_store_n(&place, value, __ATOMIC_RELAXED);
  if (g_on)
    after_store(static_cast<const void *>(&place));
}

} // namespace culprit::monitor
