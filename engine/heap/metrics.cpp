// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See metrics.h.
#include "engine/heap/metrics.h"

#include "engine/heap/metrics/functions.h"

#include <algorithm>

namespace culprit::heap {
namespace {

constexpr Metric kMetrics[] = {
#define METRIC(name, title, unit, kind, degree)                                                    \
  {#name, title, unit, MetricKind::kind, degree, metric_##name},
#include "engine/heap/metrics/metrics.def"
#undef METRIC
};

constexpr Metric kPointers{"pointers", "pointers held", "%", MetricKind::mean, 0, metric_pointers};

} // namespace

std::span<const Metric> metrics() { return kMetrics; }

const Metric *find_metric(std::string_view name) {
  const auto *found = std::ranges::find(kMetrics, name, &Metric::name);
  if (name == kPointers.name)
    return &kPointers;
  return found == std::end(kMetrics) ? nullptr : found;
}

const Metric &site_metric(size_t index) {
  return index < CULPRIT_DEGREE_METRICS ? kMetrics[index] : kPointers;
}

double site_value(const Cells &cells, const Metric &metric) {
  if (metric.kind == MetricKind::mean)
    return pointers_held(cells);
  return 100 * static_cast<double>(in_metric(cells, metric.degree)) /
         static_cast<double>(total(cells));
}

} // namespace culprit::heap
