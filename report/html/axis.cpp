// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/axis.h"

#include "report/document.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>

namespace culprit::report::html {

namespace {

// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9))
      return factor * power;
  return 10 * power;
}

std::vector<double> logarithmic_ticks(double low, double high) {
  std::vector<double> all;
  const int last = static_cast<int>(std::floor(std::log10(high)));
  for (int power = static_cast<int>(std::floor(std::log10(low))); power <= last; ++power)
    for (const double factor : {1.0, 2.0, 5.0})
      if (const double value = factor * std::pow(10, power);
          value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
        all.push_back(value);
  return all;
}

uint64_t whole(double value) {
  constexpr double kMost = 1e18; // beyond, a double is no longer a whole number of anything
  return static_cast<uint64_t>(std::llround(std::clamp(value, 0.0, kMost)));
}

} // namespace

Unit unit_named(std::string_view unit) {
  return unit == "%" ? Unit::percent : unit == "bytes" ? Unit::bytes : Unit::count;
}

std::string value_text(Unit unit, double value) {
  if (!std::isfinite(value))
    return "–";
  switch (unit) {
  case Unit::percent:
    return fmt::format("{:.1f} %", value);
  case Unit::share:
    return fmt::format("{:.1f} %", value * 100);
  case Unit::bytes:
    return human_size(whole(value));
  case Unit::count:
    return grouped(whole(value));
  case Unit::ratio:
    return fmt::format("{:.2f}", value);
  }
  return {};
}

double Axis::place(double value) const {
  double at = 0;
  if (logarithmic)
    at = (std::log(std::max(value, low)) - std::log(low)) / (std::log(high) - std::log(low));
  else
    at = (value - low) / (high - low);
  if (!std::isfinite(at)) // an axis without extent
    at = 0.5;
  return reversed ? 1 - at : at;
}

std::vector<double> Axis::ticks(size_t about) const {
  if (!(high > low))
    return {low};
  if (logarithmic)
    return logarithmic_ticks(low, high);
  double step = round_step((high - low) / static_cast<double>(about));
  if (unit == Unit::count || unit == Unit::bytes)
    step = std::max(step, 1.0);
  std::vector<double> all;
  const auto first = std::llround(std::ceil(low / step - 1e-9));
  const auto last = std::llround(std::floor(high / step + 1e-9));
  for (auto number = first; number <= last; ++number)
    all.push_back(static_cast<double>(number) * step);
  return all;
}

std::string Axis::tick_text(double value) const {
  switch (unit) {
  case Unit::percent:
    return fmt::format("{:.4g} %", value);
  case Unit::share:
    return fmt::format("{:.4g} %", value * 100);
  case Unit::ratio:
    return fmt::format("{:.3g}", value);
  case Unit::bytes:
  case Unit::count:
    return value_text(unit, value);
  }
  return {};
}

} // namespace culprit::report::html
