// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the target and stays with it until it ends, by itself or by us.
#pragma once

#include "engine/launch/init/plan.h"

namespace culprit::launch::init {

void say(const Report &report);
[[noreturn]] void refuse(Step step, uint32_t index, int error);

// All signals are blocked in the caller. Reports how the target ended; in a process namespace the
// caller then ends too and the kernel ends the rest, elsewhere the rest has been ended on return.
void supervise(const Plan &plan);

} // namespace culprit::launch::init
