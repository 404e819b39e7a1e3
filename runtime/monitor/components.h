// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connected and strongly connected components of the graph: how many, and how large the largest.
// Weak ones by union-find, strong ones by Tarjan's method with a stack of its own. Memory is taken
// for the count and given back. Costs a visit of every vertex and edge with cache misses, so it is
// paced on its own: work_for_components() says how much work must lie between two counts. Only
// under the point lock.
#pragma once

#include <stdint.h>

namespace culprit::monitor {

struct Components {
  uint64_t count;
  uint64_t largest;
  uint64_t strong_count;
  uint64_t largest_strong;
};

// False: no memory for it now.
bool count_components(Components &result);
// Units of work (pacing.h) that make the next count cheap enough.
uint64_t work_for_components();

} // namespace culprit::monitor
