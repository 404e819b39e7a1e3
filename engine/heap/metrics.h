// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of metrics. Adding one is a file in engine/heap/metrics/ and a row in metrics.cpp.
//
// Metrics of the kinds `degree` and `component` are judged. `largest` are shares of one component,
// which one pointer can halve or double: they tell more of a finding that others made, and make
// none themselves. Those of the kind `size` grow with the input, so they are shown and classified,
// never reported. `mean` is judged among the objects of one allocation site: over the whole heap,
// what one object gains another often loses.
#pragma once

#include "engine/heap/series.h"

#include <optional>
#include <span>
#include <string_view>

namespace culprit::heap {

enum class MetricKind { degree, component, largest, size, mean };

struct Metric {
  std::string_view name;  // in JSON and models: "indegree1"
  std::string_view title; // in reports: "indegree = 1"
  std::string_view unit;  // "%" (of the vertexes), "objects", "bytes"
  MetricKind kind;
  unsigned degree; // culprit_degree_metric, if kind is degree
  // Missing where the point has no vertexes, or does not have the numbers.
  std::optional<double> (*value)(const Point &point);
};

// Of the objects, in percent.
inline double highest_value(const Metric &metric) {
  return metric.kind == MetricKind::mean ? 100.0 * CULPRIT_CELL_OUT : 100.0;
}

// Counted at some points only, with a pace of its own.
inline bool is_paced(const Metric &metric) {
  return metric.kind == MetricKind::component || metric.kind == MetricKind::largest;
}

// The seven of the paper come first, in its order.
std::span<const Metric> metrics();
const Metric *find_metric(std::string_view name); // null: none of that name

// Those of one allocation site's objects: the seven, and how many pointers they hold. A bucket with
// three pointers of its own and one to the next is in a class of none of the seven, whether its
// chain is long or short.
constexpr size_t kSiteMetrics = CULPRIT_DEGREE_METRICS + 1;
const Metric &site_metric(size_t index);
double site_value(const Cells &cells, const Metric &metric); // percent; there must be objects

} // namespace culprit::heap
