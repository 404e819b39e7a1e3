// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thresholds of the heap analysis: one struct made from settings.def, and the same list as data
// for whoever reads, prints or checks settings by name.
#pragma once

#include "engine/error.h"
#include "engine/setting_value.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace culprit::heap {

struct HeapSettings {
  using number = double;
  using count = uint64_t;
  using text = std::string;
#define SETTING(type, name, default_value, meaning) type name = default_value;
#include "engine/heap/settings.def"
#undef SETTING

  bool by_paper() const { return rule == "paper"; }
  // What to pass to the runtime as `every`: rule = "paper" paces as the paper does.
  uint64_t points_every() const { return every == 0 && by_paper() ? 100'000 : every; }
};

using SettingValue = std::variant<double, std::string>; // counts are numbers to a user

// In the order of settings.def.
std::span<const SettingInfo> heap_settings();

// Fails for a name that is none, a value of another type, or a value that makes no sense (negative,
// not finite, shares above 1), saying which.
Result<void> set_setting(HeapSettings &settings, std::string_view name, const SettingValue &value);

// The value in force; empty for a name that is none.
std::string setting_text(const HeapSettings &settings, std::string_view name);

} // namespace culprit::heap
