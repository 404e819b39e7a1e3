// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/settings.h"

#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

TEST(LocateSettings, EverySettingCanBeSetToItsOwnValue) {
  LocateSettings settings;
  for (const SettingInfo &info : locate_settings()) {
    const std::string text = setting_text(settings, info.name);
    ASSERT_FALSE(text.empty()) << info.name;
    const auto set = set_setting(settings, info.name, std::stod(text));
    EXPECT_TRUE(set) << set.error().what;
    EXPECT_EQ(setting_text(settings, info.name), text);
  }
  EXPECT_TRUE(setting_text(settings, "locate.nothing").empty());
}

TEST(LocateSettings, ValuesThatMakeNoSenseAreRefused) {
  LocateSettings settings;
  EXPECT_FALSE(set_setting(settings, "locate.nothing", 1.0));
  EXPECT_FALSE(set_setting(settings, "locate.executions", 0.0));
  EXPECT_FALSE(set_setting(settings, "locate.executions", 1.5));
  EXPECT_FALSE(set_setting(settings, "locate.timeout", -1.0));
  EXPECT_FALSE(set_setting(settings, "locate.timeout", true));
}

} // namespace
} // namespace culprit::locate
