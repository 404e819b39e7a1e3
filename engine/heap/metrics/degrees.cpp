// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The paper's seven: percent of the vertexes with these degrees.
#include "engine/heap/metrics/functions.h"

namespace culprit::heap {
namespace {

std::optional<double> degree(const Point &point, culprit_degree_metric metric) {
  return percent_of_vertexes(point, in_metric(point.cells, metric));
}

} // namespace

std::optional<double> metric_roots(const Point &p) { return degree(p, CULPRIT_METRIC_ROOTS); }
std::optional<double> metric_indegree1(const Point &p) {
  return degree(p, CULPRIT_METRIC_INDEGREE1);
}
std::optional<double> metric_indegree2(const Point &p) {
  return degree(p, CULPRIT_METRIC_INDEGREE2);
}
std::optional<double> metric_leaves(const Point &p) { return degree(p, CULPRIT_METRIC_LEAVES); }
std::optional<double> metric_outdegree1(const Point &p) {
  return degree(p, CULPRIT_METRIC_OUTDEGREE1);
}
std::optional<double> metric_outdegree2(const Point &p) {
  return degree(p, CULPRIT_METRIC_OUTDEGREE2);
}
std::optional<double> metric_in_eq_out(const Point &p) {
  return degree(p, CULPRIT_METRIC_IN_EQ_OUT);
}

} // namespace culprit::heap
