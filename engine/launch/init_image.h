// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The init program (init/main.cpp), carried inside this library so that no installed file has to be
// found.
#pragma once

#include "engine/error.h"

namespace culprit::launch {

// A descriptor to execute it from, opened once and never closed.
Result<int> init_image();

} // namespace culprit::launch
