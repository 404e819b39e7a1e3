// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executions that differed side by side, tried again one after the other.
//
// Two that run at once see one another where the system tells of itself: mounts and namespaces get
// numbers as they come, and a program that reads its mounts (to learn how many processors it may
// use, say) is another one if a number has one digit more. So nothing is called unrepeatable before
// it was executed alone.
#pragma once

#include "engine/locate/execution.h"

#include <functional>

namespace culprit::locate {

struct Repetition {
  Execution first;
  std::string difference; // empty: it was repeated
};

// Executes until two in a row are the same, a few times at most.
Result<Repetition> repeat_alone(const std::function<Result<Execution>()> &execute);

} // namespace culprit::locate
