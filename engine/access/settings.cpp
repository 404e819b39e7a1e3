// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See settings.h.
#include "engine/access/settings.h"

#include <fmt/format.h>

namespace culprit::access {
namespace {

constexpr SettingInfo kSettings[] = {
#define SETTING(type, name, default_value, meaning)                                                \
  {"access." #name, #type, #default_value, meaning},
#include "engine/access/settings.def"
#undef SETTING
};

SettingBounds bounds_of(std::string_view name) {
  if (name == "access.call_chain")
    return {1, 4};
  if (name == "access.cut_off" || name == "access.learn_share" || name == "access.left_out_share")
    return {0, 1};
  if (name == "access.margin" || name == "access.overrun" || name == "access.dangling" ||
      name == "access.return_slot" || name == "access.outside" || name == "access.period" ||
      name == "access.clb_events")
    return {1, 1e9}; // factors that may not lower a surprise; a period has a point at least, a run
                     // an access
  if (name == "access.clb_entries")
    return {0, 4096};
  return {};
}

Result<double> checked(std::string_view name, double number, bool is_count) {
  return check_setting(name, number, is_count, bounds_of(name));
}

Result<void> assign(bool &to, std::string_view name, const SettingValue &value) {
  const auto *flag = std::get_if<bool>(&value);
  if (flag == nullptr)
    return fail(fmt::format("{}: true or false is expected", name));
  to = *flag;
  return {};
}

template <typename Number>
Result<void> assign(Number &to, std::string_view name, const SettingValue &value) {
  return assign_number(to, name, value, checked);
}

} // namespace

std::span<const SettingInfo> access_settings() { return kSettings; }

Result<void> set_setting(AccessSettings &settings, std::string_view name,
                         const SettingValue &value) {
#define SETTING(type, field, default_value, meaning)                                               \
  if (name == "access." #field)                                                                    \
    return assign(settings.field, name, value);
#include "engine/access/settings.def"
#undef SETTING
  return fail(fmt::format("{}: no such setting", name),
              "`culprit show --settings` lists all of them");
}

std::string setting_text(const AccessSettings &settings, std::string_view name) {
#define SETTING(type, field, default_value, meaning)                                               \
  if (name == "access." #field)                                                                    \
    return fmt::format("{}", settings.field);
#include "engine/access/settings.def"
#undef SETTING
  return {};
}

} // namespace culprit::access
