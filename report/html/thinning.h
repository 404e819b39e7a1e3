// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fewer points than there are, for a plot that shows the same: of each of equal parts of the
// points, the lowest and the highest, in their order. What leaves a range for one point alone stays
// visible.
#pragma once

#include <cstddef>
#include <vector>

namespace culprit::report::html {

struct Point {
  double x = 0;
  double y = 0; // not a number: a gap
};

// At most `most` (4 or more) points; the first and the last are among them.
std::vector<Point> thinned(const std::vector<Point> &points, size_t most);

} // namespace culprit::report::html
