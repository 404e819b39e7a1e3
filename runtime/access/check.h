// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check behind a row: who meets which names for the first time. Called for an access its row
// does not know; every pair (site, name) it makes is told once, with the row that met it first, and
// the row gets the bits that can say so exactly: bit p only if every byte that an access of the
// row starting at byte p would touch has a name the site met. What no bit can say is
// looked up again at each access.
#pragma once

#include "runtime/access/pairs.h"
#include "runtime/access/rows.h"

namespace culprit::access {

extern PairTable g_pairs; // (first row of the site, name), of this period

bool create_check();

// `frame`: of the hook.
// Sets bits of what was found out in that period.
void learn(uint32_t row, Tag tag, Starts bits, uint32_t period);

void check(uintptr_t address, uint32_t row, uintptr_t frame);
void check_range(uintptr_t address, uint64_t size, uint32_t row, uintptr_t frame);

struct CheckCounts {
  uint64_t slow;
  uint64_t exact;
  uint64_t lost;
};
CheckCounts check_counts(); // about: threads do not wait for each other to count

} // namespace culprit::access
