// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// States of runs that never were.
#pragma once

#include "report/live/state.h"

namespace culprit::report::live {

// `roots` of a hundred objects have no pointer to them, the others have one; nobody has pointers.
inline heap::Point point_with_roots(uint32_t index, uint64_t roots) {
  heap::Point point;
  point.index = index;
  point.work = 1000ULL * index;
  point.live_objects = 100;
  point.live_bytes = 6400;
  point.allocated_bytes = 64ULL * index;
  point.edges = 100 - roots;
  point.cells[culprit_cell(0, 0)] = roots;
  point.cells[culprit_cell(1, 0)] = 100 - roots;
  return point;
}

inline State state_of_list() {
  State state;
  state.command = "./list big.txt";
  state.model = "list.model";
  state.learned_runs = 12;
  state.metrics[0].range = heap::Range{10, 30};
  state.metrics[0].bar = heap::Range{8, 33};
  state.seconds = 12.4;
  state.phase = Phase::running;
  for (uint32_t i = 1; i <= 40; ++i)
    state.add(point_with_roots(i, i <= 20 ? 20 : i));
  return state;
}

} // namespace culprit::report::live
