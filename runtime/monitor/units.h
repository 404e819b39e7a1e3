// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Units of instrumented code (abi/monitor.h): each gets the next free site numbers when its
// constructor registers it. An object that is unloaded and loaded again gets the numbers it had.
#pragma once

#include "abi/monitor.h"

namespace culprit::monitor {

void register_unit(culprit_unit *unit);
void append_units_again(); // in the child of a fork

} // namespace culprit::monitor
