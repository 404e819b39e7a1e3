// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace culprit::report {

namespace {

constexpr std::array<std::string_view, 8> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

// The mean of each of `width` equal steps; fewer than `width` numbers are taken as they are.
std::vector<double> resample(std::span<const double> series, size_t width) {
  if (series.size() <= width)
    return {series.begin(), series.end()};
  std::vector<double> steps;
  for (size_t i = 0; i < width; ++i) {
    const size_t from = i * series.size() / width;
    const size_t to = std::max(from + 1, (i + 1) * series.size() / width);
    double sum = 0;
    size_t count = 0;
    for (size_t at = from; at < to; ++at)
      if (std::isfinite(series[at])) {
        sum += series[at];
        ++count;
      }
    steps.push_back(count == 0 ? std::numeric_limits<double>::quiet_NaN()
                               : sum / static_cast<double>(count));
  }
  return steps;
}

} // namespace

std::string sparkline(std::span<const double> series, size_t width, std::optional<Scale> scale) {
  const std::vector<double> steps = resample(series, width);
  if (!scale) {
    Scale own{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const double value : steps)
      if (std::isfinite(value))
        own = {std::min(own.low, value), std::max(own.high, value)};
    scale = own;
  }
  std::string line;
  for (const double value : steps) {
    if (!std::isfinite(value)) {
      line += ' ';
      continue;
    }
    const double span = scale->high - scale->low;
    // A millionth: below that a difference is rounding, and drawing it would make noise look big.
    const bool flat = !(span > std::abs(scale->high) * 1e-6);
    const double share = flat ? 0.5 : std::clamp((value - scale->low) / span, 0.0, 1.0);
    line += kBlocks[std::min<size_t>(kBlocks.size() - 1, static_cast<size_t>(share * 8))];
  }
  return line;
}

} // namespace culprit::report
