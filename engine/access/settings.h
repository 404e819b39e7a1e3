// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thresholds of the access analysis: one struct made from settings.def, and the same list as
// data for whoever reads, prints or checks settings by name.
#pragma once

#include "engine/error.h"
#include "engine/setting_value.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace culprit::access {

struct AccessSettings {
  using flag = bool;
  using number = double;
  using count = uint64_t;
#define SETTING(type, name, default_value, meaning) type name = default_value;
#include "engine/access/settings.def"
#undef SETTING
};

using SettingValue = std::variant<bool, double>; // counts are numbers to a user

// In the order of settings.def.
std::span<const SettingInfo> access_settings();

// Fails for a name that is none, a value of another type, or a value that makes no sense.
Result<void> set_setting(AccessSettings &settings, std::string_view name,
                         const SettingValue &value);

// The value in force; empty for a name that is none.
std::string setting_text(const AccessSettings &settings, std::string_view name);

} // namespace culprit::access
