// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/memory.h"

#include "valgrind/modules.h"
#include "valgrind/names.h"

namespace culprit::deep {

UInt *g_words;

bool create_memory() {
  g_words = static_cast<UInt *>(VG_(am_shadow_alloc)(kLimit / kGranule * sizeof(UInt)));
  return g_words != nullptr;
}

namespace {

constexpr UInt kGapGranules = 2; // 16 bytes on each side of a block: what the core leaves free

bool is_inside(Addr start, SizeT size) { return start >= 64 && start + size + 64 < kLimit; }

} // namespace

void name_block(Addr start, SizeT size, UInt name) {
  if (!is_inside(start, size))
    return;
  UInt *word = &word_at(start);
  const UInt old = word[0];
  const UInt lived = (old & kKind) == kTail ? old & kNumber : (old & kKind) == 0 ? old : 0;
  word[-2] = kFront;
  word[-1] = kFront | kLive | (lived == name ? word[-1] & kNumber : lived);
  const SizeT whole = size / kGranule;
  for (SizeT i = 0; i < whole; ++i)
    word[i] = name;
  SizeT end = whole;
  if (size % kGranule != 0)
    word[end++] = kTail | static_cast<UInt>(size % kGranule) << kUsedShift | name;
  for (UInt i = 0; i < kGapGranules; ++i)
    word[end + i] = name + 1;
}

bool is_block(Addr start) {
  return start % 16 == 0 && is_inside(start, 0) &&
         (word_at(start - kGranule) & (kKind | kLive)) == (kFront | kLive);
}

bool end_block(Addr start) {
  if (!is_block(start))
    return false;
  word_at(start - kGranule) &= ~kLive;
  return true;
}

SizeT block_size(Addr start) {
  const UInt first = word_at(start);
  if ((first & kKind) == kTail)
    return first >> kUsedShift & 7;
  SizeT size = 0;
  // A block of no bytes begins with what is behind it, whose number is odd (names.h).
  while (word_at(start + size) == first && first % 2 == 0)
    size += kGranule;
  const UInt last = word_at(start + size);
  return (last & kKind) == kTail ? size + (last >> kUsedShift & 7) : size;
}

Piece piece_at(Addr address, SizeT length) {
  if (address >= kLimit)
    return {0, length};
  const SizeT in_granule = kGranule - address % kGranule;
  const SizeT here = length < in_granule ? length : in_granule;
  const UInt word = word_at(address);
  switch (word & kKind) {
  case kFront:
    return {kNoObject, here};
  case kTail: {
    const UInt used = word >> kUsedShift & 7;
    const UInt at = address % kGranule;
    if (at >= used)
      return {(word & kNumber) + 1, here};
    return {word & kNumber, here < used - at ? here : used - at};
  }
  case kMixed:
    return variable_piece(address, here);
  default:
    break;
  }
  SizeT got = here;
  while (got < length && address + got < kLimit && word_at(address + got) == word)
    got += kGranule;
  return {word, got < length ? got : length};
}

Extent extent_of(Addr address, UInt name) {
  if (name == kNoObject)
    return {address, 0, 0, 0};
  if (const Variable *variable = facts_of(name).variable)
    return {variable->address, variable->size, name_before(*variable), 0};
  if (name % 2 != 0) // behind a block: the block is what is before it
    return {address, 0, name - 1, 0};
  Addr start = address & ~static_cast<Addr>(kGranule - 1);
  while ((word_at(start - kGranule) & kKind) == 0 && word_at(start - kGranule) == name)
    start -= kGranule;
  const UInt front = word_at(start - kGranule);
  const bool whole = (front & kKind) == kFront; // else a new block covers its beginning
  return {start, block_size(start), whole ? kNoObject : 0, whole ? front & kNumber : 0};
}

} // namespace culprit::deep
