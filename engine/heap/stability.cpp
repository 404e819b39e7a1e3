// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stability.h.
#include "engine/heap/stability.h"

#include <algorithm>
#include <cmath>

namespace culprit::heap {
namespace {

// Three changes are the least from which a standard deviation says anything.
constexpr size_t kMinChanges = 3;
// Mere noise has a quiet moment, too: phases must be most of the run.
constexpr double kCovered = 0.6;

// The change from y1 to y2 in percent; nothing where it does not count.
std::optional<double> change_between(double y1, double y2) {
  if (std::isnan(y1) || std::isnan(y2))
    return std::nullopt;
  if (y1 == 0)
    return y2 == 0 ? std::optional(0.0) : std::nullopt;
  return (y2 - y1) * 100 / y1;
}

bool is_spike(double y1, double y2, const HeapSettings &settings) {
  if (std::isnan(y1) || std::isnan(y2))
    return false;
  if (!settings.by_paper() && std::abs(y2 - y1) <= settings.flat_points)
    return false;
  return y1 == 0 ? y2 != 0 : std::abs((y2 - y1) * 100 / y1) > settings.spike;
}

} // namespace

Change change_of(std::span<const double> series) {
  Change change;
  double sum = 0;
  double squares = 0;
  double pivot = 0; // the first change: sums of squares of small numbers lose nothing
  for (size_t i = 1; i < series.size(); ++i) {
    const auto value = change_between(series[i - 1], series[i]);
    if (!value)
      continue;
    if (change.count == 0)
      pivot = *value;
    sum += *value - pivot;
    squares += (*value - pivot) * (*value - pivot);
    ++change.count;
  }
  if (change.count == 0)
    return change;
  const auto count = static_cast<double>(change.count);
  change.mean = pivot + sum / count;
  if (change.count > 1)
    change.stddev = std::sqrt(std::max(0.0, (squares - sum * sum / count) / (count - 1)));
  return change;
}

Extent extent_of(std::span<const double> series) {
  Extent extent;
  for (const double value : series) {
    if (std::isnan(value))
      continue;
    extent.low = extent.count == 0 ? value : std::min(extent.low, value);
    extent.high = extent.count == 0 ? value : std::max(extent.high, value);
    ++extent.count;
  }
  return extent;
}

bool is_stable(std::span<const double> series, const HeapSettings &settings) {
  const Extent extent = extent_of(series);
  if (extent.count <= kMinChanges)
    return false;
  if (!settings.by_paper() && extent.high - extent.low <= settings.flat_points)
    return true;
  const Change change = change_of(series);
  return change.count >= kMinChanges && std::abs(change.mean) <= settings.mean_change &&
         change.stddev < settings.stddev_change;
}

std::optional<std::vector<Phase>> phases_of(std::span<const double> series,
                                            const HeapSettings &settings) {
  std::vector<Phase> phases;
  const size_t least = std::max<size_t>(settings.phase_steps, kMinChanges + 1);
  size_t begin = 0;
  for (size_t i = 1; i <= series.size(); ++i) {
    if (i < series.size() && !is_spike(series[i - 1], series[i], settings))
      continue;
    const std::span<const double> part = series.subspan(begin, i - begin);
    const Extent extent = extent_of(part);
    if (extent.count >= least) {
      if (!is_stable(part, settings))
        return std::nullopt;
      const auto all = static_cast<double>(series.size());
      phases.push_back({static_cast<double>(begin) / all, static_cast<double>(i) / all, extent.low,
                        extent.high});
    }
    begin = i;
  }
  double covered = 0;
  for (const Phase &phase : phases)
    covered += phase.end - phase.begin;
  if (covered < kCovered)
    return std::nullopt;
  return phases;
}

} // namespace culprit::heap
