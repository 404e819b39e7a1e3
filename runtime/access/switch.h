// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// culprit_disable and culprit_enable: while off, nothing is told and nobody called. An access that
// comes to the check gets its bit as if it were known, so that it comes once; which bits these were
// is remembered, and switching on takes them back.
#pragma once

#include "runtime/access/rows.h"

namespace culprit::access {

extern bool g_switched_off;

inline bool is_switched_off() { return __atomic_load_n(&g_switched_off, __ATOMIC_RELAXED); }

void switch_off();
void switch_on();
void pass_unseen(uint32_t row, Tag tag, Starts start);

} // namespace culprit::access
