// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Periods: with the option `period`, after so many metric points every pair is told again, so that
// the engine can compare the parts of a long run, or learn from the first and judge the rest.
#pragma once

#include <stdint.h>

namespace culprit::access {

uint32_t current_period();

// After metric point `index` (from 1), under the point lock.
void point_passed(uint32_t index, uint64_t work);

void restart_periods(); // in the child of a fork

} // namespace culprit::access
