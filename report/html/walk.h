// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chain as a walk through the source: each step is a place with the lines around it and what
// happened there, from the cause down to its effect.
//
// Rules: a statement that is passed many times in a row is shown once, its other times folded below
// it. Of a very long chain the beginning and the end are shown, and how much is between them.
#pragma once

#include "report/html/markup.h"
#include "report/html/places.h"
#include "report/reported.h"

#include <vector>

namespace culprit::report::html {

// `first` and `last` say what the ends are: "the cause", "the crash".
struct Ends {
  std::string first;
  std::string last;
};
Markup walk(const std::vector<Spot> &steps, const Ends &ends, const PageOptions &options);

} // namespace culprit::report::html
