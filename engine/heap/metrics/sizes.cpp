// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much is live. Grows with the input, so it is shown and never reported.
#include "engine/heap/metrics/functions.h"

namespace culprit::heap {

std::optional<double> metric_live_objects(const Point &point) {
  return static_cast<double>(total(point.cells));
}

std::optional<double> metric_live_bytes(const Point &point) {
  return static_cast<double>(point.live_bytes);
}

} // namespace culprit::heap
