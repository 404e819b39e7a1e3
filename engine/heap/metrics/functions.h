// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions behind the rows of metrics.def, and what they share: a count as a share of the
// vertexes.
#pragma once

#include "engine/heap/series.h"

#include <optional>

namespace culprit::heap {

#define METRIC(name, title, unit, kind, degree)                                                    \
  std::optional<double> metric_##name(const Point &point);
#include "engine/heap/metrics/metrics.def"
#undef METRIC

// Not of the table: of allocation sites alone (metrics.h).
std::optional<double> metric_pointers(const Point &point);
double pointers_held(const Cells &cells); // percent of the objects

// In percent; missing without vertexes.
inline std::optional<double> percent_of_vertexes(const Point &point, uint64_t count) {
  const uint64_t vertexes = total(point.cells);
  if (vertexes == 0)
    return std::nullopt;
  return 100.0 * static_cast<double>(count) / static_cast<double>(vertexes);
}

} // namespace culprit::heap
