// SPDX-License-Identifier: GPL-2.0-or-later
// What lies where: every 8 bytes (a granule) of the program's memory have a 32-bit word in a flat
// table, which says whose name they have. Names are numbered from 1 (names.h).
//
//   0                         nobody watches it: stacks, mappings, code
//   number                    all 8 bytes have this name
//   kTail  | used | number    the end of a block: `used` bytes have this name, the others are
//   memory
//                             behind such a block, which has the next number
//   kFront | live | number    the 8 bytes before a block: memory of no object. The number is the
//                             name of who lived at the block's place before; live: not freed yet
//   kMixed                    several small globals: variable_at() knows
//
// Freeing a block changes no names, as in the flavours: a write through a dangling pointer shows
// when somebody else lives there. Addresses from kLimit on have no words; Valgrind puts a program,
// its libraries and its heap at the low end and the stack far above.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

constexpr Addr kLimit = 1ul << 34;
constexpr UInt kGranule = 8;

constexpr UInt kFront = 1u << 30;
constexpr UInt kLive = 1u << 29;
constexpr UInt kTail = 2u << 30;
constexpr UInt kMixed = 3u << 30;
constexpr UInt kKind = 3u << 30;
constexpr UInt kUsedShift = 27;
constexpr UInt kNumber = (1u << kUsedShift) - 1;

extern UInt *g_words;

bool create_memory();
inline UInt &word_at(Addr address) { return g_words[address / kGranule]; }

// A block of `size` bytes that was just handed out, with 16 bytes before and behind it that are
// nobody's. `name`: its number; the next one is that of memory behind it.
void name_block(Addr start, SizeT size, UInt name);
// Is this the start of a block that has not been freed? Then it is, from now on.
bool is_block(Addr start);
bool end_block(Addr start);
// Bytes asked for.
SizeT block_size(Addr start);

// All bytes from `address` on that have one name, within `length`; name 0: nobody's. Memory in
// front of a block has kNoObject.
constexpr UInt kNoObject = kNumber;
struct Piece {
  UInt name;
  SizeT length;
};
Piece piece_at(Addr address, SizeT length);

// The object around an address whose name is `name`, and what is before it.
struct Extent {
  Addr start;
  SizeT size;
  UInt before;
  UInt previous;
};
Extent extent_of(Addr address, UInt name);

} // namespace culprit::deep
