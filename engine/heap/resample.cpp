// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See resample.h.
#include "engine/heap/resample.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace culprit::heap {
namespace {

// With a fixed frequency steps are points, but a day's run must not make a model of a gigabyte.
constexpr size_t kMaxSteps = 2'000;

} // namespace

std::vector<size_t> step_points(std::span<const Point> points, const HeapSettings &settings) {
  std::vector<size_t> steps;
  if (points.empty())
    return steps;
  if (settings.points_every() != 0) {
    const size_t count = std::min(points.size(), kMaxSteps);
    for (size_t i = 0; i < count; ++i)
      steps.push_back(i * points.size() / count);
    return steps;
  }
  const size_t count = std::min<size_t>(points.size(), settings.steps);
  const auto all = static_cast<double>(points.back().work);
  for (size_t i = 0; i < count; ++i) {
    const double middle = all * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const auto above = std::ranges::upper_bound(
        points, middle, {}, [](const Point &point) { return static_cast<double>(point.work); });
    const auto position = static_cast<size_t>(above - points.begin());
    steps.push_back(position == 0 ? 0 : position - 1);
  }
  return steps;
}

std::vector<double> sample(const Metric &metric, std::span<const Point> points,
                           std::span<const size_t> steps, const HeapSettings &settings) {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> series;
  series.reserve(steps.size());
  size_t next = 0; // first point not yet looked at
  for (const size_t step : steps) {
    double last = kMissing;
    if (!is_paced(metric))
      next = step;
    for (; next <= step; ++next)
      if (const auto value = metric.value(points[next]))
        last = *value;
    series.push_back(total(points[step].cells) < settings.min_objects ? kMissing : last);
  }
  return series;
}

Window judged_window(size_t steps, const HeapSettings &settings) {
  // A hair more, so that a tenth of 30 is 3 and not 2.999…
  const auto part = [&](double share) {
    return static_cast<size_t>(std::floor(static_cast<double>(steps) * share + 1e-9));
  };
  const size_t begin = std::min(steps, part(settings.trim_start));
  const size_t end = steps - std::min(steps, part(settings.trim_end));
  return begin < end ? Window{begin, end} : Window{begin, begin};
}

} // namespace culprit::heap
