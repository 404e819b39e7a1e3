// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connected and strongly connected components: their number, and the size of the largest, in
// percent of the vertexes, so that inputs of different sizes compare.
#include "engine/heap/metrics/functions.h"

namespace culprit::heap {
namespace {

std::optional<double> component(const Point &point, uint64_t Components::*number) {
  if (!point.components)
    return std::nullopt;
  return percent_of_vertexes(point, *point.components.*number);
}

} // namespace

std::optional<double> metric_components(const Point &p) { return component(p, &Components::count); }
std::optional<double> metric_largest_component(const Point &p) {
  return component(p, &Components::largest);
}
std::optional<double> metric_strong_components(const Point &p) {
  return component(p, &Components::strong_count);
}
std::optional<double> metric_largest_strong_component(const Point &p) {
  return component(p, &Components::strong_largest);
}

} // namespace culprit::heap
