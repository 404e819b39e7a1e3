// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/live/state.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace culprit::report::live {

const char *standing_text(Standing standing) {
  switch (standing) {
  case Standing::inside:
    return "inside its range";
  case Standing::near:
    return "near its bound";
  case Standing::outside:
    return "outside its range";
  case Standing::unknown:
    break;
  }
  return "";
}

Standing standing_of(const Metric &metric) {
  if (!metric.range || !std::isfinite(metric.now))
    return Standing::unknown;
  if (metric.now < metric.range->low || metric.now > metric.range->high)
    return Standing::outside;
  // As runtime/monitor/stacks.cpp has it.
  constexpr double kLeastMargin = 1.0;
  const double margin = std::max((metric.range->high - metric.range->low) / 4, kLeastMargin);
  const bool by_low = metric.now < metric.range->low + margin && metric.range->low > 0;
  const bool by_high = metric.now > metric.range->high - margin && metric.range->high < 100;
  // In a narrow range every value is near an end.
  const bool narrow = metric.range->high - metric.range->low < 2 * margin;
  return !narrow && (by_low || by_high) ? Standing::near : Standing::inside;
}

State::State() : course(heap::metrics().size()) {
  for (const heap::Metric &metric : heap::metrics())
    metrics.push_back({.metric = &metric,
                       .range = {},
                       .bar = {},
                       .now = std::numeric_limits<double>::quiet_NaN()});
}

void State::add(const heap::Point &point) {
  std::vector<double> values;
  for (Metric &metric : metrics) {
    const std::optional<double> value = metric.metric->value(point);
    values.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
    if (value)
      metric.now = *value;
    metric.standing = standing_of(metric);
  }
  course.add(static_cast<double>(point.work), values);
  totals = {point.work, point.live_objects, point.live_bytes, point.allocated_bytes, point.edges};
}

} // namespace culprit::report::live
