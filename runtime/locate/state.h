// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The locate flavour as a whole: made and ended as one (flavour.h), and its unit.
#pragma once

#include "abi/locate.h"
#include "runtime/locate/flavour.h"

namespace culprit::locate {

// Targets are read, and the cells of its globals get the ids of their initial values.
void register_unit(const culprit_locate_unit &unit);

// Ends the process: the flavour cannot do its work here. One line on descriptor 2, status 2; never
// by a signal, which would be taken for the target's.
[[noreturn]] void stop_unusable(const char *message);

} // namespace culprit::locate
