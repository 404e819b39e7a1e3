// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The quarantine: freed blocks in the order they were freed, until they hold more bytes than the
// option `quarantine` allows; then the oldest go back to the heap. By bytes and order alone, so the
// same calls give the same addresses. The caller holds the lock of the blocks.
#pragma once

#include "runtime/locate/block_table.h"
#include "runtime/locate/guards.h"

namespace culprit::locate {

void create_quarantine();

// Behind all others. The rows that had to leave for it are taken out one by one by leave().
void enter_quarantine(uint64_t row);

// The oldest block, if there are too many bytes; null: there are not.
Block *leave_quarantine();

uint64_t quarantined_bytes();

} // namespace culprit::locate
