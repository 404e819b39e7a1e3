// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The live page: what does not change while a run goes on. All else comes by events (events.h),
// which the page's script (web/live.js) shows.
#pragma once

#include "report/live/state.h"

#include <string>

namespace culprit::report::live {

std::string page(const State &state);

// The page's Content-Security-Policy: its own style and script, events from where it came from,
// nothing else.
std::string page_policy();

} // namespace culprit::report::live
