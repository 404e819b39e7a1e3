// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See settings.h.
#include "engine/heap/settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace culprit::heap {
namespace {

constexpr SettingInfo kSettings[] = {
#define SETTING(type, name, default_value, meaning) {"heap." #name, #type, #default_value, meaning},
#include "engine/heap/settings.def"
#undef SETTING
};

// The largest value that makes sense of numbers that are shares or percentages.
double largest(std::string_view name) {
  for (std::string_view share :
       {"heap.stable_share", "heap.suspicious_share", "heap.persistence", "heap.persistence_end",
        "heap.learn_share", "heap.program_overlap"})
    if (name == share)
      return 1;
  if (name == "heap.trim_start" || name == "heap.trim_end")
    return 0.45; // something must be left between them
  if (name == "heap.margin_confidence" || name == "heap.margin_coverage")
    return 0.999999;
  return 1e9;
}

Result<double> checked_number(std::string_view name, double value, bool is_count) {
  if (!std::isfinite(value) || value < 0)
    return fail(fmt::format("{}: {} is not a number that makes sense here", name, value));
  if (value > largest(name))
    return fail(fmt::format("{}: {} is more than {}", name, value, largest(name)));
  if (is_count && value != std::floor(value))
    return fail(fmt::format("{}: {} is not a whole number", name, value));
  // With nothing to look at there is nothing to judge.
  if (value < 1 &&
      (name == "heap.steps" || name == "heap.min_points" || name == "heap.learn_windows"))
    return fail(fmt::format("{}: must be at least 1", name));
  if (name == "heap.steps" && value > 10'000)
    return fail(fmt::format("{}: {} is more than 10000", name, value));
  return value;
}

template <typename Number>
Result<void> assign(Number &to, std::string_view name, const SettingValue &value) {
  return assign_number(to, name, value, checked_number);
}

Result<void> assign(std::string &to, std::string_view name, const SettingValue &value) {
  const auto *text = std::get_if<std::string>(&value);
  if (text == nullptr || (*text != "margin" && *text != "paper"))
    return fail(fmt::format("{}: \"margin\" or \"paper\" is expected", name));
  to = *text;
  return {};
}

std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(uint64_t value) { return fmt::format("{}", value); }
std::string text_of(const std::string &value) { return fmt::format("\"{}\"", value); }

} // namespace

std::span<const SettingInfo> heap_settings() { return kSettings; }

Result<void> set_setting(HeapSettings &settings, std::string_view name, const SettingValue &value) {
#define SETTING(type, field, default_value, meaning)                                               \
  if (name == "heap." #field)                                                                      \
    return assign(settings.field, name, value);
#include "engine/heap/settings.def"
#undef SETTING
  return fail(fmt::format("{}: no such setting", name),
              "`culprit show --settings` lists all of them");
}

std::string setting_text(const HeapSettings &settings, std::string_view name) {
#define SETTING(type, field, default_value, meaning)                                               \
  if (name == "heap." #field)                                                                      \
    return text_of(settings.field);
#include "engine/heap/settings.def"
#undef SETTING
  return {};
}

} // namespace culprit::heap
