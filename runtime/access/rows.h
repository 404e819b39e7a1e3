// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of abi/access.h: what each stands for, and its bits. Bit k of a row's word for a tag says
// that an access that starts at byte k is known. Bits are only ever a memory of what
// pairs.h holds: clearing them costs time, never a pair.
#pragma once

#include "runtime/access/kinds.h"

namespace culprit::access {

struct Row {
  uint8_t size; // 0: not a row of any unit
  uint8_t flags;
  uint16_t alignment;
  uint32_t first; // row of the same access site: pairs are those of sites
};
static_assert(sizeof(Row) == sizeof(culprit_row_info));
constexpr uint8_t kRangesOnly = 0x80; // a flag of ours: the unit's row has size 0

// Units that found no more rows have numbers from CULPRIT_NO_ROWS on: mapped, and nobody's.
constexpr size_t kMappedRows = size_t{2} * CULPRIT_MAX_ROWS;

extern Row *g_rows;

bool create_rows();

inline Row row_of(uint32_t number) {
  Row row;
  uint64_t word =
      __atomic_load_n(reinterpret_cast<const uint64_t *>(&g_rows[number]), __ATOMIC_RELAXED);
  __builtin_memcpy(&row, &word, sizeof row);
  return row;
}

using Starts = uint16_t; // bytes of a granule that accesses begin (of a tail row: end) at
constexpr Starts kAllStarts = 0xffff;

inline uint32_t twice(Starts bits) { return bits * 0x10001u; } // abi/access.h says why
inline uint32_t *word_of(uint32_t row, Tag tag) {
  return reinterpret_cast<uint32_t *>(culprit_row(row) + uint64_t{tag} * 8);
}
inline Starts load_bits(uint32_t row, Tag tag) {
  return static_cast<Starts>(__atomic_load_n(word_of(row, tag), __ATOMIC_RELAXED));
}
inline void add_bits(uint32_t row, Tag tag, Starts bits) {
  __atomic_fetch_or(word_of(row, tag), twice(bits), __ATOMIC_RELAXED);
}
inline void remove_bits(uint32_t row, Tag tag, Starts bits) {
  __atomic_fetch_and(word_of(row, tag), ~twice(bits), __ATOMIC_RELAXED);
}

// Every bit of every row.
void clear_rows();

// The bytes of a granule that an access of the row touches when it starts (of a tail row: ends) at
// `byte`: [from, to).
struct Touched {
  unsigned from;
  unsigned to;
};
// A tail's check is made whether the access lies across two granules or not; if not, the first
// check saw all of it.
inline Touched touched(const Row &row, unsigned byte) {
  if (row.flags & CULPRIT_ROW_TAIL)
    return byte + 1 < row.size ? Touched{0, byte + 1} : Touched{0, 0};
  unsigned end = byte + row.size;
  return {byte, end < kGranule ? end : static_cast<unsigned>(kGranule)};
}

} // namespace culprit::access
