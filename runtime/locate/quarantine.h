// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The quarantine: freed blocks in the order they were freed. It may hold an eighth as many bytes as
// live blocks do, at least 2 MiB (a heap that has always been small: four times its size, at least
// 512 KiB) and at most what the option `quarantine` says; then the oldest go back to the heap. By
// bytes and order alone, so the same calls give the same addresses. The caller holds the lock of
// the blocks.
//
// A program that frees a node and allocates the next has both in one place. If the next is always
// the oldest one, what is used together lies all over the heap after a while: a program that moves
// cells between short lists took half as long again. So a block that is not one of the youngest (a
// quarter of all bytes, at least 512 KiB) may leave earlier, if it lies beside what was freed last.
#pragma once

#include "runtime/locate/block_table.h"

namespace culprit::locate {

bool create_quarantine(); // false: there is no room

// So many more bytes are live, or fewer.
void count_live(const Block &block);
void count_dead(const Block &block);

// Behind all others.
void enter_quarantine(const Block &block);
// The oldest block, if there are too many bytes; no row: there are not.
Block leave_quarantine();
// A block of this class beside the one that was freed last, if there is one that has waited long
// enough; no row: there is none.
Block take_near(unsigned size_class);

uint64_t quarantined_bytes();

} // namespace culprit::locate
