// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lists of settings (engine/heap, engine/access, engine/locate: settings.def) share: how
// one setting is described, and how a value from outside becomes one of its type.
//
// Rules: a Value is a std::variant with `double` among its types (counts are numbers to a user);
// what numbers make sense is the list's to say, by `check(name, number, is_count)`.
#pragma once

#include "engine/error.h"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>
#include <type_traits>
#include <variant>

namespace culprit {

struct SettingInfo {
  std::string_view name; // "heap.trim_start"
  std::string_view type; // "number", "count", "flag" or "text"
  std::string_view default_value;
  std::string_view meaning;
};

struct SettingBounds {
  double least = 0;
  double most = 1e9;
};

// The check of a list whose numbers have bounds and nothing else.
inline Result<double> check_setting(std::string_view name, double number, bool is_count,
                                    const SettingBounds &bounds) {
  if (!std::isfinite(number) || number < 0)
    return fail(fmt::format("{}: {} is not a number that makes sense here", name, number));
  if (number < bounds.least)
    return fail(fmt::format("{}: must be at least {}", name, bounds.least));
  if (number > bounds.most)
    return fail(fmt::format("{}: {} is more than {}", name, number, bounds.most));
  if (is_count && number != std::floor(number))
    return fail(fmt::format("{}: {} is not a whole number", name, number));
  return number;
}

template <typename Number, typename Value, typename Check>
Result<void> assign_number(Number &to, std::string_view name, const Value &value, Check check) {
  constexpr bool kIsCount = std::is_same_v<Number, uint64_t>;
  const auto *number = std::get_if<double>(&value);
  if (number == nullptr)
    return fail(fmt::format("{}: a {}number is expected", name, kIsCount ? "whole " : ""));
  auto checked = check(name, *number, kIsCount);
  if (!checked)
    return std::unexpected(checked.error());
  to = static_cast<Number>(*checked);
  return {};
}

} // namespace culprit
