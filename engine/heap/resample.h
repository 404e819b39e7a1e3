// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points at irregular moments → a series of equal steps.
//
// Self-paced points are dense at the start and sparse later, and the paper's rules speak of changes
// from step to step; so a run is cut into equal steps of work, and a step has the value of the last
// point at or before its middle (never an average: every value is one the heap really had). A run
// with fewer points than steps gets as many steps as it has points. With points at a fixed
// frequency, steps are points. Missing values (too few objects, metric not taken) are NaN.
#pragma once

#include "engine/heap/metrics.h"
#include "engine/heap/settings.h"

#include <cstddef>
#include <span>
#include <vector>

namespace culprit::heap {

// Which point stands for which step, over the whole run (start-up and shut-down included):
// positions in `points`. Empty if there are none.
std::vector<size_t> step_points(std::span<const Point> points, const HeapSettings &settings);

// The metric at those points; NaN where missing or where fewer than min_objects are live. Component
// metrics, which only some points have, have a value at the steps since whose predecessor they were
// counted: a count carried on would be taken for many that agree.
std::vector<double> sample(const Metric &metric, std::span<const Point> points,
                           std::span<const size_t> steps, const HeapSettings &settings);

struct Window {
  size_t begin = 0; // steps
  size_t end = 0;
  size_t size() const { return end - begin; }
};
// What is left of `steps` steps after start-up and shut-down.
Window judged_window(size_t steps, const HeapSettings &settings);

} // namespace culprit::heap
