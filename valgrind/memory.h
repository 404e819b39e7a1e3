// SPDX-License-Identifier: GPL-2.0-or-later
// What lies where: every 8 bytes (a granule) of the program's memory have a 32-bit word in a flat
// table, which says whose name they have. Names are numbered from 1 (names.h).
//
//   0                         nobody watches it: stacks, mappings, code
//   number                    all 8 bytes have this name
//   kTail  | used | number'   the end of a block: `used` bytes have this name, the others are
//                             memory behind such a block, which has the next number
//   kFront | live | number    the 8 bytes before a block: memory of no object. The number is the
//                             name of who lived at the block's place before; live: not freed yet
//   kMixed | pattern          several names, or bytes that have none: small variables and members.
//                             A pattern has the names of the 8 bytes; equal ones have one number
//
// Equal words mean that byte k of the one granule has the name of byte k of the other: what the
// code before an access relies on (sites.h). It takes the bits kSlotBits of a word for the place to
// look at; a number's end of a block (number') has another place than its middle, and only a word
// of 0 has place 0.
//
// Freeing a block changes no names, as in the flavours: a write through a dangling pointer shows
// when somebody else lives there. Addresses from limit() on have no words: Valgrind puts a program,
// its libraries and its heap at the low end and the stack below 128 GiB, which is where the table
// ends, where there is address space for it.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

constexpr UInt kGranule = 8;
constexpr UInt kGranuleShift = 3;

constexpr UInt kFront = 1u << 30;
constexpr UInt kLive = 1u << 29;
constexpr UInt kTail = 2u << 30;
constexpr UInt kMixed = 3u << 30;
constexpr UInt kKind = 3u << 30;
constexpr UInt kUsedShift = 27;
constexpr UInt kNumber = (1u << kUsedShift) - 1;

constexpr UInt kSlotBits = 62; // of a word
constexpr UInt kTailBit = 32;  // number' is number with this bit turned
// No object has a number with none of these bits: neither number nor number' has place 0.
constexpr UInt kNumberBits = kSlotBits & ~kTailBit;
constexpr UInt tail_word(UInt used, UInt number) {
  return kTail | used << kUsedShift | (number ^ kTailBit);
}
constexpr UInt tail_number(UInt word) { return (word & kNumber) ^ kTailBit; }

extern UInt *g_words;
extern UInt g_address_bits; // addresses below 1 << this have words
inline Addr limit() { return 1ul << g_address_bits; }

bool create_memory();
// Memory that is best kept in large pages: a program that writes all over its heap waits for the
// processor's table of small ones. Where the system has none to give, nothing happens.
void prefer_large_pages(Addr start, SizeT length);
inline UInt &word_at(Addr address) { return g_words[address / kGranule]; }
// The word that the code before an access looks at: beyond the limit, another one's.
inline UInt folded_word_at(Addr address) { return word_at(address & (limit() - 1)); }

// Gives bytes a name; 0: none. `words`: the first is that of the granule of byte 0.
void name_bytes(UInt *words, Addr start, SizeT length, UInt name);

// A block of `size` bytes that was just handed out, with `before` bytes before it, 8 or 16, and 16
// behind it that are nobody's. `name`: its number; the next one is that of memory behind it. Where
// its type is known (members.h) its bytes have the names of members.
void name_block(Addr start, SizeT size, SizeT before, UInt name);
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
