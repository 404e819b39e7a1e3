// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a site of an index flavour (abi/indexing.h) folds into the index of its frame. All folds of
// what is known of a site beforehand are made at the start, once; their order is that of
// frames.cpp.
#pragma once

#include "abi/indexing.h"

#include <stdint.h>

namespace culprit::explain {

// index × multiplier + addend + the mixed counters, each times its power.
struct IndexRow {
  uint64_t multiplier;
  uint64_t addend;
  uint64_t function; // the id of that whose frame it is
  uint32_t first_power;
  uint32_t counters; // those of the sites that lead to it first
};

extern IndexRow *g_index_rows; // by number of the site
extern uint64_t *g_index_powers;

// False: there is no room for them.
bool make_index_rows(const culprit_index_unit &unit);

inline const uint64_t *counters_of(const culprit_index_frame &frame) {
  return reinterpret_cast<const uint64_t *>(&frame + 1);
}

// The index of the site where a frame stands whose own index is this.
inline uint64_t index_at(const culprit_index_frame &frame, uint64_t own) {
  const IndexRow &row = g_index_rows[frame.site];
  uint64_t index = own * row.multiplier + row.addend;
  const uint64_t *counters = counters_of(frame);
  for (uint32_t i = 0; i < row.counters; ++i)
    index += culprit_index_mix(counters[i]) * g_index_powers[row.first_power + i];
  return index;
}

// A frame's own index, whose caller stands at a site of index `from`.
inline uint64_t index_of_frame(const culprit_index_frame &frame, uint64_t from) {
  return culprit_index_fold(culprit_index_fold(from, frame.entered),
                            g_index_rows[frame.site].function);
}

// The index of what is the so manieth to happen at a site: a block of so many bytes.
inline uint64_t index_of_block(uint64_t site, uint64_t happened, uint64_t size) {
  uint64_t index = culprit_index_fold(site, happened);
  return culprit_index_fold(culprit_index_fold(index, CULPRIT_INDEX_BLOCK), size);
}

} // namespace culprit::explain
