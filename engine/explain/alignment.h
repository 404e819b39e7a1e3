// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which points of two runs correspond: those with the same structural index, of which a run has
// each once. And what that says of the accesses in between: do they go to the same memory, by index
// and by address (the paper's Figure 12)?
#pragma once

#include "engine/explain/trace.h"

#include <cstddef>
#include <vector>

namespace culprit::explain {

// A part of a whole; of nothing it is everything.
struct Share {
  size_t part = 0;
  size_t whole = 0;
  double value() const {
    return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

struct Alignment {
  struct Pair {
    size_t a; // positions in the traces
    size_t b;
    bool operator==(const Pair &) const = default;
  };
  std::vector<Pair> points; // in the order of both runs
  size_t common = 0;        // of `points`: so many are the first of both, with nothing in between
  Share control_flow;       // points of both runs that correspond
  // Accesses that correspond, and of these those that go to the same place.
  Share heap_by_index, heap_by_address, stack_by_index, stack_by_address;
};

Alignment align(const Trace &a, const Trace &b);

} // namespace culprit::explain
