// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/settings/settings.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace culprit::settings {
namespace {

std::string error_of(std::string_view text) {
  auto parsed = parse(text, "culprit.toml");
  return parsed ? "none" : parsed.error().what + "|" + parsed.error().hint;
}

bool is_about_line(const std::string &error, int line, std::string_view word) {
  return error.starts_with("culprit.toml:" + std::to_string(line) + ": ") &&
         error.find(word) != std::string::npos;
}

TEST(Settings, StoresEachTypeInItsPlace) {
  auto parsed =
      parse("[heap]\ntrim_start = 0.2\nevery = 100_000\nrule = 'paper'\nmean_change = 2\n", "t");
  ASSERT_TRUE(parsed) << parsed.error().what;
  EXPECT_EQ(parsed->heap.trim_start, 0.2);
  EXPECT_EQ(parsed->heap.every, 100'000);
  EXPECT_EQ(parsed->heap.rule, "paper");
  EXPECT_EQ(parsed->heap.mean_change, 2.0);
}

TEST(Settings, EachSectionGoesToItsAnalysis) {
  auto parsed = parse("[access]\nreads = true\n[locate]\nexecutions = 7\ntimeout = 0.5\n", "t");
  ASSERT_TRUE(parsed) << parsed.error().what;
  EXPECT_TRUE(parsed->access.reads);
  EXPECT_EQ(parsed->locate.executions, 7u);
  EXPECT_EQ(parsed->locate.timeout, 0.5);
  EXPECT_PRED3(is_about_line, error_of("[locate]\nexecutions = true\n"), 2, "executions");
}

TEST(Settings, AnEmptyFileLeavesTheDefaults) {
  auto parsed = parse("", "t");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->heap.trim_start, heap::HeapSettings{}.trim_start);
}

TEST(Settings, AnUnknownKeyIsNamedWithItsLineAndTheLikelyOne) {
  EXPECT_EQ(error_of("# comment\n[heap]\ntrim_strat = 0.2\n"),
            "culprit.toml:3: there is no setting 'heap.trim_strat'|did you mean "
            "'heap.trim_start'?");
  EXPECT_EQ(error_of("[heep]\n"),
            "culprit.toml:1: there is no section 'heep'|did you mean 'heap'?");
  EXPECT_EQ(error_of("[heap]\nwholly_other_thing = 1\n"),
            "culprit.toml:2: there is no setting 'heap.wholly_other_thing'|"
            "`culprit show --settings` lists all settings");
}

TEST(Settings, AWrongTypeIsNamedWithItsLine) {
  EXPECT_PRED3(is_about_line, error_of("[heap]\ntrim_start = 'much'\n"), 2, "trim_start");
  EXPECT_PRED3(is_about_line, error_of("[heap]\nevery = 1.5\n"), 2, "every");
  EXPECT_PRED3(is_about_line, error_of("[heap]\nrule = 1\n"), 2, "rule");
  EXPECT_PRED3(is_about_line, error_of("[heap]\nsteps = true\n"), 2, "steps");
  EXPECT_EQ(error_of("heap = 1\n"),
            "culprit.toml:1: 'heap' is a section, not a value|write [heap] on a line of its own");
}

TEST(Settings, AValueThatMakesNoSenseIsRefused) {
  EXPECT_PRED3(is_about_line, error_of("[heap]\ntrim_start = nan\n"), 2, "trim_start");
  EXPECT_PRED3(is_about_line, error_of("[heap]\nevery = -1\n"), 2, "every");
  EXPECT_PRED3(is_about_line, error_of("[heap]\nrule = 'papr'\n"), 2, "rule");
}

TEST(Settings, BrokenSyntaxIsNamedWithItsLine) {
  EXPECT_EQ(error_of("[heap]\n= 3\n").find("culprit.toml:2: "), 0);
}

TEST(Settings, AMissingFileAndAFolderAreErrors) {
  EXPECT_EQ(read("/nosuch/culprit.toml").error().what, "/nosuch/culprit.toml: no such file");
  EXPECT_EQ(read("/").error().what, "/: not a regular file");
}

TEST(Settings, EachIsShownWithItsValueInForce) {
  auto parsed = parse("heap.steps = 50\n", "t");
  ASSERT_TRUE(parsed);
  const auto all = shown(*parsed);
  const auto steps = std::ranges::find(all, "heap.steps", &Shown::key);
  ASSERT_NE(steps, all.end());
  EXPECT_EQ(steps->value, "50");
  EXPECT_EQ(steps->default_value, "100");
  const auto rule = std::ranges::find(all, "heap.rule", &Shown::key);
  EXPECT_EQ(rule->value, "\"margin\"");
}

TEST(DidYouMean, FarWordsAreNoSlip) {
  const std::vector<std::string> names = {"heap.rule", "heap.steps"};
  EXPECT_EQ(did_you_mean("heap.step", names), "heap.steps");
  EXPECT_EQ(did_you_mean("access.depth", names), "");
}

} // namespace
} // namespace culprit::settings
