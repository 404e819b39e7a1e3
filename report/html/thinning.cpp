// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/thinning.h"

#include <algorithm>
#include <cmath>

namespace culprit::report::html {

namespace {

// The lowest and highest of a part that is not empty, and a gap if it has nothing else.
void keep(std::vector<Point> &kept, const Point *begin, const Point *end) {
  const Point *low = nullptr;
  const Point *high = nullptr;
  for (const Point *point = begin; point != end; ++point) {
    if (!std::isfinite(point->y))
      continue;
    if (low == nullptr || point->y < low->y)
      low = point;
    if (high == nullptr || point->y > high->y)
      high = point;
  }
  if (low == nullptr || high == nullptr) {
    kept.push_back(*begin);
    return;
  }
  kept.push_back(*std::min(low, high));
  if (low != high)
    kept.push_back(*std::max(low, high));
}

} // namespace

std::vector<Point> thinned(const std::vector<Point> &points, size_t most) {
  if (points.size() <= most)
    return points;
  const size_t parts = (most - 2) / 2;
  const size_t inner = points.size() - 2;
  std::vector<Point> kept = {points.front()};
  for (size_t part = 0; part < parts; ++part) {
    const size_t begin = 1 + inner * part / parts;
    const size_t end = 1 + inner * (part + 1) / parts;
    if (begin < end)
      keep(kept, points.data() + begin, points.data() + end);
  }
  kept.push_back(points.back());
  return kept;
}

} // namespace culprit::report::html
