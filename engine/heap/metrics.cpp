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

} // namespace

std::span<const Metric> metrics() { return kMetrics; }

const Metric *find_metric(std::string_view name) {
  const auto *found = std::ranges::find(kMetrics, name, &Metric::name);
  return found == std::end(kMetrics) ? nullptr : found;
}

} // namespace culprit::heap
