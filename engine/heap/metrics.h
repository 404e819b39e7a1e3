// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of metrics. Adding one is a file in engine/heap/metrics/ and a row in metrics.cpp.
//
// Metrics of the kinds `degree` and `component` are judged. `largest` are shares of one component,
// which one pointer can halve or double: they tell more of a finding that others made, and make
// none themselves. Those of the kind `size` grow with the input, so they are shown and classified,
// never reported.
#pragma once

#include "engine/heap/series.h"

#include <optional>
#include <span>
#include <string_view>

namespace culprit::heap {

enum class MetricKind { degree, component, largest, size };

struct Metric {
  std::string_view name;  // in JSON and models: "indegree1"
  std::string_view title; // in reports: "indegree = 1"
  std::string_view unit;  // "%" (of the vertexes), "objects", "bytes"
  MetricKind kind;
  unsigned degree; // culprit_degree_metric, if kind is degree
  // Missing where the point has no vertexes, or does not have the numbers.
  std::optional<double> (*value)(const Point &point);
};

// Counted at some points only, with a pace of its own.
inline bool is_paced(const Metric &metric) {
  return metric.kind == MetricKind::component || metric.kind == MetricKind::largest;
}

// The seven of the paper come first, in its order.
std::span<const Metric> metrics();
const Metric *find_metric(std::string_view name); // null: none of that name

} // namespace culprit::heap
