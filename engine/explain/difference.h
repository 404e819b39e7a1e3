// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two snapshots compared by index. A *difference* is a place that both runs have and that holds
// another value in each: bytes by what they are, pointers by the place they point to. Any aligned
// word that is the address of a region is a pointer.
//
// Regions that only one run has are no differences of their own: what makes them matter is a
// pointer to them, and that is one. What is made while a program runs, and has another size in each
// run, is one difference as a whole. A file that only one run has open is a difference, and so is
// one that is another or stands elsewhere (open_file.h).
#pragma once

#include "engine/explain/snapshot.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace culprit::explain {

struct Difference {
  Place at;
  uint32_t size = 0; // 8: a word, perhaps a pointer in either run; 0: the whole; else at most 4
  bool operator==(const Difference &) const = default;
};

// Of what `target` would have to take over from `source`; in the order of the target's regions.
std::vector<Difference> compare(const Snapshot &target, const Snapshot &source);

// Two halves that are one number of eight bytes, as somebody knows, become one difference.
std::vector<Difference> join_halves(const std::vector<Difference> &differences,
                                    const std::function<bool(const Place &)> &is_number);

} // namespace culprit::explain
