// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A series of numbers in one line of a terminal: ▁▂▃▄▅▆▇█, one character for each of `width` equal
// steps of the series.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace culprit::report {

struct Scale {
  double low = 0;
  double high = 1;
};

// Without a scale the series' own lowest and highest value are the ends; a series that does not
// move is drawn in the middle. Numbers that are none (NaN) leave a blank.
std::string sparkline(std::span<const double> series, size_t width,
                      std::optional<Scale> scale = {});

} // namespace culprit::report
