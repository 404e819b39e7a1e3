// SPDX-License-Identifier: GPL-2.0-or-later
// Where blocks come from: small ones from chunks of blocks of one size, all others from the core's
// allocator, whose lists and merging take longer than all else that an allocation costs here.
//
// Rules: every block has 16 bytes before and behind it that are nobody's. What is kept of a block
// is not kept near it: the program may write there.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

constexpr SizeT kAlignment = 16;
constexpr SizeT kGap = 16; // memory.cpp marks as much on each side of a block

// Null: no memory.
void *take_block(SizeT size, SizeT alignment);
void give_back(void *block);
// Bytes that it has room for.
SizeT room_of(void *block);

} // namespace culprit::deep
