// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baseline that memory indexing is compared with: memory aligned by *symbolic paths*. Variables
// correspond by their names; what two corresponding pointers point to corresponds, whatever it is.
// Values that are no pointers are compared along each path.
//
// A place that several paths lead to (an alias) may so differ along one and not along the other,
// and taking the difference over along the one destroys what holds along the other; and of two
// differences that are one place the first is lost. That is what this is here to show.
#pragma once

#include "engine/explain/difference.h"
#include "engine/explain/naming.h"
#include "engine/explain/snapshot.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace culprit::explain {

struct PathDifference {
  Difference at; // in the target; its size is 8 where only one of the two is a pointer
  Place from;    // in the source
  std::string path;
  bool aliased = false; // the place in the target has more than one path

  NamedValue describe(const Snapshot &target, const Snapshot &source) const;
};

// Of what `target` would have to take over from `source`, in the order of the paths' lengths.
std::vector<PathDifference> compare_by_path(const Side &target, const Side &source);

// What the paper's Table 2 counts: each place once.
struct PathCounts {
  size_t differences = 0;
  size_t aliases = 0; // of them: places with more than one path
};
PathCounts count(std::span<const PathDifference> differences);

// Values are copied to where the path leads to in the target, one after the other.
std::string make_patch(std::span<const PathDifference> differences, const Snapshot &target,
                       const Snapshot &source);

} // namespace culprit::explain
