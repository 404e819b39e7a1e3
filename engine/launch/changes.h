// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of which it is asked whether the target changed files.
#pragma once

#include "engine/launch/launch.h"

namespace culprit::launch {

// As run(). `changed_files`: in its private directories; true as well if it has none, since nobody
// knows then.
Result<Outcome> run_and_look(const Request &request, bool &changed_files,
                             std::stop_token stop = interrupt_token());

} // namespace culprit::launch
