// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reporting bar: how far, how long and with how many objects a series must be outside a learned
// range. Used by judge.h for runs, and by learn.h for training runs that do not fit.
//
// Margin. Assume that the minima (and the maxima) of healthy runs are roughly normal. From n of
// them with mean m and standard deviation s, m − k·s is below the minimum of a share `coverage` of
// all healthy runs with the given confidence; k is the one-sided normal tolerance factor, which
// grows as n falls. The bar is that bound or the learned range widened by margin_points, whichever
// is farther out: the bound alone would be too near for runs that are all alike.
#pragma once

#include "engine/heap/judge.h"

#include <cstddef>
#include <span>

namespace culprit::heap {

// Quantile of the standard normal distribution, 0 < p < 1.
double normal_quantile(double p);

// One-sided normal tolerance factor for n values (Natrella's approximation; below 4 values, where
// it does not hold, a bound beyond all exact values).
double tolerance_factor(size_t n, double coverage, double confidence);

// What the bar asks; the defaults of the whole heap and of one allocation site come from settings.
struct Demands {
  bool raw = false; // the paper's rule: one step outside the learned range
  double points = 0;
  double spread = 0; // multiple of the standard deviation, beyond the range
  double coverage = 0;
  double confidence = 0;
  double widening = 1; // factor on the distance between range and bar
  double share = 0;
  double share_at_end = 0;
  size_t consecutive = 0;
  double objects = 0;
  double excess = 0;
};
Demands heap_demands(const HeapSettings &settings);
// Locally stable metrics: phases are found, not given, so the margin is twice as wide.
Demands phase_demands(const HeapSettings &settings);
// `tests`: how many series are compared with their ranges.
Demands site_demands(const HeapSettings &settings, size_t tests);

// Spread of many [low, high].
Spread spread_of(std::span<const Extent> extents);

Range bar_of(const Spread &spread, const Demands &demands);

// One step of a series: what it may be, and what is beyond that.
struct Step {
  double value = 0;   // NaN: missing
  double objects = 0; // of which `value` is a percentage
  size_t point = 0;
  Range range;
  Range bar;
  bool judged = true; // false: nothing is known of this step
};

struct Outside {
  bool clears = false; // all three demands are met
  bool any = false;    // some step is beyond the bar with enough objects
  bool high = false;   // the side meant by what follows
  size_t first = 0;    // steps
  size_t worst = 0;
  size_t count = 0;   // steps outside
  size_t judged = 0;  // steps with a value
  size_t longest = 0; // metric points in a row
  bool through_end = false;
  double margin_ratio = 0; // seen / asked
  double share_ratio = 0;
  double support_ratio = 0;
  double excess = 0; // objects beyond the range at the worst step
};
// Steps of a locally stable metric: at its position in the run, a value may be in the range of any
// phase that some training run was in there, so that phases need not begin at the same share of
// every run. `series` is trimmed; points are numbered as steps.
std::vector<Step> phase_steps(std::span<const LearnedPhase> phases, std::span<const double> series,
                              std::span<const double> objects, const Demands &demands);

// Flat, and at an end of the range: a poorly disguised bug, or a training run like that.
bool hugs(const Extent &extent, const Spread &spread, bool high, const HeapSettings &settings);

// The worse of the two sides.
Outside outside_of(std::span<const Step> steps, const Demands &demands);

double confidence_of(const Outside &outside);

} // namespace culprit::heap
