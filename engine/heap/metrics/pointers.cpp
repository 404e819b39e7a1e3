// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many pointers the objects hold, in percent of the objects: 350 are three and a half each.
// Counted from the cells, so seven and more are seven: one more of many says little.
#include "engine/heap/metrics/functions.h"

namespace culprit::heap {

double pointers_held(const Cells &cells) {
  uint64_t pointers = 0;
  for (unsigned cell = 0; cell < cells.size(); ++cell)
    pointers += cells[cell] * culprit_cell_out(cell);
  return 100 * static_cast<double>(pointers) / static_cast<double>(total(cells));
}

std::optional<double> metric_pointers(const Point &point) {
  if (total(point.cells) == 0)
    return std::nullopt;
  return pointers_held(point.cells);
}

} // namespace culprit::heap
