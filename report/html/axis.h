// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One axis of a plot: where a value lies on it, which values are written beside it, and how.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::report::html {

enum class Unit { percent, share, bytes, count, ratio };

// The unit of a metric of a document: "%", "bytes", …
Unit unit_named(std::string_view unit);

// "31.0 %", "4.5 MB", "1,204"; a share of 0.31 is "31.0 %", a ratio of 0.31 is "0.31".
std::string value_text(Unit unit, double value);

struct Axis {
  std::string title = {};
  Unit unit = Unit::count;
  double low = 0;
  double high = 1;
  bool logarithmic = false; // low is above 0
  bool reversed = false;    // high comes first

  // 0 at the beginning of the axis, 1 at its end; beyond these for values beyond the ends.
  double place(double value) const;
  // Round values between the ends, some `about` of them.
  std::vector<double> ticks(size_t about) const;
  // A tick needs fewer digits than a value.
  std::string tick_text(double value) const;
};

} // namespace culprit::report::html
