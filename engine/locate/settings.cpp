// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See settings.h.
#include "engine/locate/settings.h"

#include <cmath>
#include <fmt/format.h>

namespace culprit::locate {
namespace {

constexpr SettingInfo kSettings[] = {
#define SETTING(type, name, default_value, meaning)                                                \
  {"locate." #name, #type, #default_value, meaning},
#include "engine/locate/settings.def"
#undef SETTING
};

struct Bounds {
  double least = 0;
  double most = 1e9;
};

Bounds bounds_of(std::string_view name) {
  if (name == "locate.executions" || name == "locate.patience")
    return {1, 1e6};
  return {};
}

Result<double> checked_number(std::string_view name, const SettingValue &value, bool is_count) {
  const auto *number = std::get_if<double>(&value);
  if (number == nullptr)
    return fail(fmt::format("{}: a {}number is expected", name, is_count ? "whole " : ""));
  if (!std::isfinite(*number) || *number < 0)
    return fail(fmt::format("{}: {} is not a number that makes sense here", name, *number));
  const Bounds bounds = bounds_of(name);
  if (*number < bounds.least)
    return fail(fmt::format("{}: must be at least {}", name, bounds.least));
  if (*number > bounds.most)
    return fail(fmt::format("{}: {} is more than {}", name, *number, bounds.most));
  if (is_count && *number != std::floor(*number))
    return fail(fmt::format("{}: {} is not a whole number", name, *number));
  return *number;
}

Result<void> assign(double &to, std::string_view name, const SettingValue &value) {
  auto checked = checked_number(name, value, false);
  if (!checked)
    return std::unexpected(checked.error());
  to = *checked;
  return {};
}

Result<void> assign(uint64_t &to, std::string_view name, const SettingValue &value) {
  auto checked = checked_number(name, value, true);
  if (!checked)
    return std::unexpected(checked.error());
  to = static_cast<uint64_t>(*checked);
  return {};
}

} // namespace

std::span<const SettingInfo> locate_settings() { return kSettings; }

Result<void> set_setting(LocateSettings &settings, std::string_view name,
                         const SettingValue &value) {
#define SETTING(type, field, default_value, meaning)                                               \
  if (name == "locate." #field)                                                                    \
    return assign(settings.field, name, value);
#include "engine/locate/settings.def"
#undef SETTING
  return fail(fmt::format("{}: no such setting", name),
              "`culprit show --settings` lists all of them");
}

std::string setting_text(const LocateSettings &settings, std::string_view name) {
#define SETTING(type, field, default_value, meaning)                                               \
  if (name == "locate." #field)                                                                    \
    return fmt::format("{}", settings.field);
#include "engine/locate/settings.def"
#undef SETTING
  return {};
}

} // namespace culprit::locate
