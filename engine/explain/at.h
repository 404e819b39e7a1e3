// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of two runs at one point of both, which is named by a place in the source.
#pragma once

#include "engine/error.h"
#include "engine/explain/search.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::explain {

struct AtLine {
  std::string file; // as much of its path as is needed
  unsigned line = 0;
  size_t instance = 1; // the so manieth execution in run a
};

// "FILE:LINE" or "FILE:LINE#N".
Result<AtLine> parse_at(std::string_view text);

// The pair of points (in alignment.points) that is meant. A line that a loop executes in parts (the
// three of a for statement) is known by the part that is executed first.
Result<size_t> find_pair(const Trace &a, const Tables &tables, const Alignment &alignment,
                         const AtLine &at);

struct NamedDifference {
  std::string index; // of the place: region and offset
  std::string name;
  std::string a;
  std::string b;
};

// Everything that differs there.
Result<std::vector<NamedDifference>> differences_at(const Run &a, const Run &b,
                                                    const Compared &compared, const AtLine &at,
                                                    const std::filesystem::path &scratch);

} // namespace culprit::explain
