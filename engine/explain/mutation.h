// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does taking over all differences turn one run into the other (the paper's Figure 13)? At points
// spread over what the runs do after they have parted, the first is given all of the second's
// memory that can be taken over; what it does then is compared with what the second does.
#pragma once

#include "engine/error.h"
#include "engine/explain/search.h"

#include <filesystem>
#include <vector>

namespace culprit::explain {

// Pairs of aligned points (positions in alignment.points), evenly spread from where the runs part
// to the end; over all if they never part.
std::vector<size_t> spread_points(const Alignment &alignment, size_t wanted);

struct Mutation {
  Location at;
  size_t differences = 0; // taken over
  size_t left = 0;        // that cannot be: they point to what only the second run has
  Share control_flow;     // of what follows, in both
  Share heap;             // accesses at corresponding points that go to the same place by index
};

Result<std::vector<Mutation>> mutate(const Run &a, const Run &b, const Compared &compared,
                                     size_t points, const std::filesystem::path &scratch);

} // namespace culprit::explain
