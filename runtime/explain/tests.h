// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run that has stopped: its memory is told, and it is copied for each test that the engine asks
// for (abi/explain.h). The copy gets a patch and goes on as the program; this process does not.
#pragma once

#include <stdint.h>

namespace culprit::explain {

// Returns in the copies only.
void stop_here(uint32_t site);

} // namespace culprit::explain
