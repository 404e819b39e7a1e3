// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See settings.h.
#include "engine/locate/settings.h"

#include <fmt/format.h>

namespace culprit::locate {
namespace {

constexpr SettingInfo kSettings[] = {
#define SETTING(type, name, default_value, meaning)                                                \
  {"locate." #name, #type, #default_value, meaning},
#include "engine/locate/settings.def"
#undef SETTING
};

SettingBounds bounds_of(std::string_view name) {
  if (name == "locate.executions" || name == "locate.orders" || name == "locate.patience")
    return {1, 1e6};
  return {};
}

Result<double> checked(std::string_view name, double number, bool is_count) {
  return check_setting(name, number, is_count, bounds_of(name));
}

} // namespace

std::span<const SettingInfo> locate_settings() { return kSettings; }

Result<void> set_setting(LocateSettings &settings, std::string_view name,
                         const SettingValue &value) {
#define SETTING(type, field, default_value, meaning)                                               \
  if (name == "locate." #field)                                                                    \
    return assign_number(settings.field, name, value, checked);
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
