// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/heap/settings.h"

#include <gtest/gtest.h>

#include <limits>

namespace culprit::heap {
namespace {

TEST(Settings, DefaultsAreThePapersWhereItNamesOne) {
  const HeapSettings settings;
  EXPECT_EQ(settings.trim_start, 0.10);
  EXPECT_EQ(settings.mean_change, 1.0);
  EXPECT_EQ(settings.stddev_change, 5.0);
  EXPECT_EQ(settings.stable_share, 0.40);
  EXPECT_EQ(settings.points_every(), 0u);
}

TEST(Settings, EverySettingCanBeSetToItsOwnValue) {
  HeapSettings settings;
  for (const SettingInfo &info : heap_settings()) {
    const std::string text = setting_text(settings, info.name);
    ASSERT_FALSE(text.empty()) << info.name;
    EXPECT_FALSE(info.meaning.empty());
    const SettingValue value = info.type == "text" ? SettingValue(text.substr(1, text.size() - 2))
                                                   : SettingValue(std::stod(text));
    const auto set = set_setting(settings, info.name, value);
    EXPECT_TRUE(set) << set.error().what;
    EXPECT_EQ(setting_text(settings, info.name), text);
  }
}

TEST(Settings, WhatMakesNoSenseIsRefusedByName) {
  HeapSettings settings;
  for (const auto &[name, value] : std::vector<std::pair<const char *, SettingValue>>{
           {"heap.trim_start", 0.6},
           {"heap.trim_start", -0.1},
           {"heap.trim_start", std::string("a lot")},
           {"heap.steps", 0.0},
           {"heap.steps", 10.5},
           {"heap.support", std::numeric_limits<double>::infinity()},
           {"heap.margin_coverage", 1.0},
           {"heap.rule", std::string("mine")},
           {"heap.rule", 1.0},
           {"heap.nothing", 1.0}}) {
    const auto set = set_setting(settings, name, value);
    ASSERT_FALSE(set) << name;
    EXPECT_TRUE(set.error().what.starts_with(name)) << set.error().what;
  }
}

} // namespace
} // namespace culprit::heap
