// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the differences at a point the run comes to use next. Several sets of them may make a
// run fail; the one that is read first is where the failure goes through, and bytes that wait a
// thousand statements for their turn are a false trail.
#pragma once

#include "engine/explain/difference.h"
#include "engine/explain/trace.h"

#include <cstddef>
#include <vector>

namespace culprit::explain {

// Positions of the differences, in the order in which the trace reads them behind this position.
// Behind them those that it does not read (it may be that nobody sees who does), and last those
// that are written over before.
std::vector<size_t> by_next_use(const std::vector<Difference> &differences, const Trace &trace,
                                size_t position);

} // namespace culprit::explain
