// SPDX-License-Identifier: GPL-2.0-or-later
// Where blocks come from: small ones from chunks of blocks of one size, all others from the core's
// allocator, whose lists and merging take longer than all else that an allocation costs here.
//
// Rules: every block has 16 bytes behind it and 8 before it that are nobody's; one from the core's
// allocator 16 before it, which in a chunk are those behind its neighbour: the closer blocks lie,
// the fewer lines of memory a program waits for. What is kept of a block is not kept near it: the
// program may write there.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

constexpr SizeT kAlignment = 16;
constexpr SizeT kGapBehind = 16;
constexpr SizeT kGapBefore = 8; // at least
constexpr SizeT kCoreGap = 16;  // on each side of a block from the core's allocator

// Null: no memory.
void *take_block(SizeT size, SizeT alignment);
void give_back(void *block);
// Bytes that it has room for.
SizeT room_of(void *block);
// Bytes before it that are nobody's.
SizeT gap_before(void *block);

} // namespace culprit::deep
