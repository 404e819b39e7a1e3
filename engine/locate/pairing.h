// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variable comes right behind which buffer: the paper's heuristic. Of all orders of variables
// only those matter in which some address variable follows some buffer, and one order can do so for
// every buffer at once: with m buffers and n address variables max(m, n) orders bring all m * n
// pairs together, not m * n.
//
// A variable may be both (an array of pointers): pairs then make chains, which must not close to
// rings. What a ring costs is made up for in orders of its own at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace culprit::locate {

struct Pair {
  size_t buffer;
  size_t address; // comes right behind it
  bool operator==(const Pair &) const = default;
};

// One order: no variable is behind two buffers, none has two behind it, no rings.
using Pairs = std::vector<Pair>;

// Every pair (a buffer and another variable that is an address) is in some order, unless `most`
// orders are not enough. `buffers` and `addresses` are numbers of variables, each without
// repetition.
std::vector<Pairs> pair_up(const std::vector<size_t> &buffers, const std::vector<size_t> &addresses,
                           size_t most = SIZE_MAX);

} // namespace culprit::locate
