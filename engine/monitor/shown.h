// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where another execution of a case shows a finding of the first.
//
// A run that depends on the time or on chance does not repeat: its metric points have the same
// numbers, but the same number may fall into a moment when, say, a collector has just swept, or the
// program is already giving everything back. So a point shows the finding only if the metric is
// beyond the bar on the same side and most of the objects that were judged are there: of an empty
// heap every low end is passed. If the worst point of one execution is no such point in the next, a
// third is asked about the point farthest from all that do not show the finding in the first two.
#pragma once

#include "engine/heap/judge.h"

#include <optional>

namespace culprit::monitor {

// The same finding as another execution shows it at that metric point; none: it does not.
std::optional<heap::Finding> shown_again(const heap::Finding &finding, const heap::HeapRun &again);

// The number of the metric point in the middle of the longest stretch of points that show the
// finding in both executions; none: no point does.
std::optional<uint32_t> surest_point(const heap::Finding &finding, const heap::HeapRun &run,
                                     const heap::HeapRun &again);

} // namespace culprit::monitor
