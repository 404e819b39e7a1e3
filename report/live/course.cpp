// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/live/course.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace culprit::report::live {

void Course::Extremes::take(const html::Point &point) {
  if (!std::isfinite(point.y))
    return;
  if (!any || point.y < low.y)
    low = point;
  if (!any || point.y > high.y)
    high = point;
  any = true;
}

void Course::Extremes::take(const Extremes &more) {
  if (!more.any)
    return;
  take(more.low);
  take(more.high);
}

Course::Course(size_t metrics, size_t most_parts)
    : most_parts_(std::max<size_t>(2, most_parts / 2 * 2)), metrics_(metrics), current_(metrics) {}

void Course::add(double x, std::span<const double> values) {
  for (size_t i = 0; i < current_.size() && i < values.size(); ++i)
    current_[i].take(html::Point{x, values[i]});
  ++added_;
  last_x_ = x;
  if (++in_current_ < stride_)
    return;
  if (parts_ == most_parts_)
    halve(); // and the part goes on: it is half of one now
  else
    complete();
}

void Course::finish() {
  if (in_current_ == 0)
    return;
  if (parts_ == most_parts_)
    halve();
  complete();
}

void Course::complete() {
  for (size_t i = 0; i < metrics_.size(); ++i)
    metrics_[i].push_back(std::exchange(current_[i], {}));
  in_current_ = 0;
  ++parts_;
}

void Course::halve() {
  for (std::vector<Extremes> &parts : metrics_) {
    for (size_t i = 0; i < parts.size() / 2; ++i) {
      Extremes both = parts[2 * i];
      both.take(parts[2 * i + 1]);
      parts[i] = both;
    }
    parts.resize(parts.size() / 2);
  }
  parts_ /= 2;
  stride_ *= 2;
  ++generation_;
}

std::vector<html::Point> Course::points(size_t metric, size_t first) const {
  std::vector<html::Point> points;
  const std::vector<Extremes> &parts = metrics_[metric];
  for (size_t i = first; i < parts.size(); ++i) {
    if (!parts[i].any)
      continue;
    const bool low_first = parts[i].low.x <= parts[i].high.x;
    points.push_back(low_first ? parts[i].low : parts[i].high);
    if (parts[i].low.x != parts[i].high.x)
      points.push_back(low_first ? parts[i].high : parts[i].low);
  }
  return points;
}

} // namespace culprit::report::live
