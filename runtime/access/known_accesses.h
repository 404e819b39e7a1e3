// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses known to the byte. A row's bit stands for two start bytes; where one of them would touch
// a name the site never met (the last byte of a text, with the slack behind it), the bit stays
// clear for good and the other comes to the check each time. This is a memory of such accesses, by
// row, tag, start byte and period, exact and of fixed size: what falls out of it costs a look at
// the pairs. Not for kExact, whose names depend on the address.
#pragma once

#include "runtime/access/tags.h"

namespace culprit::access {

constexpr unsigned kKnownBits = 15;
extern uint64_t *g_known_accesses;

bool create_known_accesses();
void forget_known_accesses(); // with the rows' bits

inline uint64_t known_key(uint32_t row, Tag tag, unsigned byte, uint32_t period) {
  return ((uint64_t{period} << 21 | row) << 16 | tag) << 4 | byte;
}
inline uint64_t &known_place(uint64_t key) {
  return g_known_accesses[(key * 0x9e3779b97f4a7c15) >> (64 - kKnownBits)];
}
inline bool is_known_access(uint64_t key) {
  return __atomic_load_n(&known_place(key), __ATOMIC_RELAXED) == key;
}
inline void keep_known_access(uint64_t key) {
  __atomic_store_n(&known_place(key), key, __ATOMIC_RELAXED);
}

} // namespace culprit::access
