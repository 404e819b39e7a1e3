// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The live view in a terminal: one screen as text. A function of the run's state and of what the
// reader picked, so that tests compare it as text; who writes it to the terminal is cli/watch.
//
// Rules: no line is wider, and there are no more lines, than the terminal has; what does not fit is
// left out from the least important on (stacks, findings, the large plot, then metrics), never
// wrapped. Colour says nothing that words do not say.
#pragma once

#include "report/live/state.h"
#include "report/style.h"

#include <cstddef>
#include <string>
#include <vector>

namespace culprit::report::live {

struct FrameOptions {
  size_t width = 80;
  size_t height = 24;
  size_t chosen = 0; // number of the metric that is drawn large
  bool paused = false;
  Style style = {};
};

// The lines of one screen, without line ends.
std::vector<std::string> frame(const State &state, const FrameOptions &options);

// For an output that is no terminal: the state in one line.
std::string line(const State &state);

} // namespace culprit::report::live
