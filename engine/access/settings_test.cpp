// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/access/settings.h"

#include <gtest/gtest.h>

#include <cmath>

namespace culprit::access {
namespace {

TEST(AccessSettings, DefaultsAreThePapersWhereItNamesOne) {
  const AccessSettings settings;
  EXPECT_EQ(settings.call_chain, 4u);
  EXPECT_EQ(settings.clb_entries, 8u);
  EXPECT_FALSE(settings.reads);
  EXPECT_TRUE(settings.prune);
}

TEST(AccessSettings, EverySettingCanBeSetToItsOwnValue) {
  AccessSettings settings;
  for (const SettingInfo &info : access_settings()) {
    const std::string text = setting_text(settings, info.name);
    ASSERT_FALSE(text.empty()) << info.name;
    const SettingValue value =
        info.type == "flag" ? SettingValue(text == "true") : SettingValue(std::stod(text));
    const auto set = set_setting(settings, info.name, value);
    EXPECT_TRUE(set) << set.error().what;
    EXPECT_EQ(setting_text(settings, info.name), text);
  }
  EXPECT_TRUE(setting_text(settings, "access.nothing").empty());
}

TEST(AccessSettings, ValuesThatMakeNoSenseAreRefused) {
  AccessSettings settings;
  EXPECT_FALSE(set_setting(settings, "access.nothing", 1.0));
  EXPECT_FALSE(set_setting(settings, "access.reads", 1.0));
  EXPECT_FALSE(set_setting(settings, "access.bar", true));
  EXPECT_FALSE(set_setting(settings, "access.call_chain", 0.0));
  EXPECT_FALSE(set_setting(settings, "access.call_chain", 5.0));
  EXPECT_FALSE(set_setting(settings, "access.call_chain", 2.5));
  EXPECT_FALSE(set_setting(settings, "access.cut_off", 1.5));
  EXPECT_FALSE(set_setting(settings, "access.margin", 0.5));
  EXPECT_FALSE(set_setting(settings, "access.bar", -1.0));
  EXPECT_FALSE(set_setting(settings, "access.bar", std::nan("")));
}

} // namespace
} // namespace culprit::access
