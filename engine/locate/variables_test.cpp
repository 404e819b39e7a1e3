// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/variables.h"

#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

constexpr const char *kTable = R"({
  "moved_globals": [["title", 16, 16, 1, 3, [0, 2]], ["unit", 8, 8, 2, 4, [2]]],
  "frames": [["f", 1, 2, 16, 1, [["line", 80, 16, 1, 9], ["s", 24, 8, 4, 0]]]]})";

TEST(Variables, ATableIsRead) {
  const auto variables = parse_variables(kTable);
  ASSERT_TRUE(variables);
  ASSERT_EQ(variables->globals.size(), 2U);
  EXPECT_TRUE(variables->globals[0].is_buffer);
  EXPECT_FALSE(variables->globals[0].is_address);
  EXPECT_TRUE(variables->globals[1].is_address);
  EXPECT_EQ(variables->globals[1].definition, 4U);
  ASSERT_EQ(variables->frames.size(), 1U);
  EXPECT_TRUE(variables->frames[0].is_alone);
  EXPECT_EQ(variables->frames[0].first_entry, 2U);
  EXPECT_TRUE(variables->frames[0].variables.at(1).is_argument);
}

TEST(Variables, WhatIsNoTableIsRefused) {
  for (const char *bad :
       {"[]", R"({"moved_globals": 1})", R"({"moved_globals": [["a", -1, 1, 0, 0, []]]})",
        R"({"moved_globals": [["a", 1, 3, 0, 0, []]]})",
        R"({"moved_globals": [["a", 1, 1, 0, 0]]})", R"({"frames": [["f", 0, 0, 8, 0, []]]})",
        R"({"frames": [["f", 0, 0, 16, 0, [["a"]]]]})"})
    EXPECT_FALSE(parse_variables(bad)) << bad;
}

TEST(Variables, OnlyWhatEnteredFunctionsUseMakesPairs) {
  auto all = parse_variables(kTable);
  ASSERT_TRUE(all);
  const Variables used = used_by(*all, {true, false, false});
  ASSERT_EQ(used.globals.size(), 2U);
  EXPECT_TRUE(used.globals[0].is_buffer);
  EXPECT_FALSE(used.globals[1].is_address);
  EXPECT_FALSE(used.frames[0].variables[0].is_buffer);
}

} // namespace
} // namespace culprit::locate
