// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is a series stable? The paper's definition, on the trimmed series of one run: change from y1 to
// y2 is (y2 − y1) · 100 / y1; a change from 0 to 0 is 0, from 0 to anything else it is left out,
// and so are changes from or to a missing value. Stable: mean change within ±mean_change and
// standard deviation below stddev_change. Beyond the paper, a series that stays within flat_points
// is stable too: near zero the relative change says nothing.
//
// Locally stable: cut at the spikes, each phase is stable by itself.
#pragma once

#include "engine/heap/settings.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace culprit::heap {

struct Change {
  double mean = 0;   // percent
  double stddev = 0; // percent
  size_t count = 0;  // changes that counted
};

struct Extent {
  double low = 0;
  double high = 0;
  size_t count = 0; // values that are not missing
};

Change change_of(std::span<const double> series);
Extent extent_of(std::span<const double> series);

bool is_stable(std::span<const double> series, const HeapSettings &settings);

struct Phase {
  double begin = 0; // share of the series, 0..1
  double end = 0;
  double low = 0;
  double high = 0;
};
// The phases of a locally stable series (one, if it has no spike and is stable); nothing if any
// part that is long enough is unstable, or if those parts are not most of the series. Parts shorter
// than phase_steps are transitions and are left out.
std::optional<std::vector<Phase>> phases_of(std::span<const double> series,
                                            const HeapSettings &settings);

} // namespace culprit::heap
