// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which analyses a command does in one run, and the flavour that serves them.
#pragma once

#include "engine/run/run_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace culprit::cli {

struct Parts {
  bool heap = true;
  bool access = true;
  bool reads = false;  // access: reads too
  bool counts = false; // access: how often, which training needs
  bool operator==(const Parts &) const = default;
};

// Of abi/flavours.def, the one that watches this and nothing else.
std::string_view flavour_of(Parts parts);

// The flavours that may have written a run file, likeliest first: what was watched can be read off
// its records, except whether reads were (`reads`: asked for), and counts that a killed run has not
// written yet.
std::vector<std::string_view> flavours_of(const run::RunFile &file, bool reads);

} // namespace culprit::cli
