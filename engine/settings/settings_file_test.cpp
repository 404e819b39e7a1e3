// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/settings/settings_file.h"

#include "engine/launch/temporary.h"

#include <gtest/gtest.h>

namespace culprit::settings {
namespace {

class SettingsFile : public testing::Test {
protected:
  double trim = 0.1;
  uint64_t every = 0;
  bool sites = true;
  std::string rule = "bar";
  std::vector<Row> rows = {
      {"heap", "trim", "share left out", &trim, 0, 0.5},
      {"heap", "every", "entries between points", &every},
      {"heap", "sites", "judge each allocation site", &sites},
      {"heap", "rule", "how to judge", &rule, 0, 0, {"bar", "paper"}},
  };

  std::string error_of(std::string_view text) {
    auto applied = apply(text, "culprit.toml", rows);
    return applied ? "none" : applied.error().what + "|" + applied.error().hint;
  }
};

TEST_F(SettingsFile, StoresEachTypeInItsPlace) {
  ASSERT_TRUE(
      apply("[heap]\ntrim = 0.2\nevery = 100_000\nsites = false\nrule = 'paper'\n", "t", rows));
  EXPECT_EQ(trim, 0.2);
  EXPECT_EQ(every, 100'000);
  EXPECT_FALSE(sites);
  EXPECT_EQ(rule, "paper");
}

TEST_F(SettingsFile, AWholeNumberIsANumber) {
  ASSERT_TRUE(apply("heap.trim = 0\n", "t", rows));
  EXPECT_EQ(trim, 0);
}

TEST_F(SettingsFile, AnUnknownKeyIsNamedWithItsLineAndTheLikelyOne) {
  EXPECT_EQ(error_of("# comment\n[heap]\ntrmi = 0.2\n"),
            "culprit.toml:3: there is no setting 'heap.trmi'|did you mean 'heap.trim'?");
  EXPECT_EQ(error_of("[heep]\n"),
            "culprit.toml:1: there is no section 'heep'|did you mean 'heap'?");
  EXPECT_EQ(error_of("[heap]\nentirely_other_thing = 1\n"),
            "culprit.toml:2: there is no setting 'heap.entirely_other_thing'|"
            "`culprit show --settings` lists all settings");
}

TEST_F(SettingsFile, AWrongTypeIsNamedWithItsLine) {
  EXPECT_EQ(error_of("[heap]\ntrim = 'much'\n"), "culprit.toml:2: 'heap.trim' must be a number|");
  EXPECT_EQ(error_of("[heap]\nevery = 1.5\n"),
            "culprit.toml:2: 'heap.every' must be a whole number|");
  EXPECT_EQ(error_of("[heap]\nsites = 1\n"), "culprit.toml:2: 'heap.sites' must be true or false|");
  EXPECT_EQ(error_of("[heap]\nrule = 1\n"),
            "culprit.toml:2: 'heap.rule' must be a text in quotes|");
  EXPECT_EQ(error_of("heap = 1\n"),
            "culprit.toml:1: 'heap' is a section, not a value|write [heap] on a line of its own");
}

TEST_F(SettingsFile, AValueThatMakesNoSenseIsRefused) {
  EXPECT_EQ(error_of("[heap]\ntrim = 0.7\n"),
            "culprit.toml:2: 'heap.trim' is 0.7, but must be from 0 to 0.5|");
  EXPECT_EQ(error_of("[heap]\ntrim = nan\n"),
            "culprit.toml:2: 'heap.trim' is nan, but must be from 0 to 0.5|");
  EXPECT_EQ(error_of("[heap]\nevery = -1\n").find("culprit.toml:2: 'heap.every' is -1"), 0);
  EXPECT_EQ(error_of("[heap]\nrule = 'papr'\n"),
            "culprit.toml:2: 'heap.rule' is 'papr', but must be one of: bar, paper|");
}

TEST_F(SettingsFile, BrokenSyntaxIsNamedWithItsLine) {
  EXPECT_EQ(error_of("[heap]\n= 3\n").find("culprit.toml:2: "), 0);
}

TEST_F(SettingsFile, AMissingFileAndAFolderAreErrors) {
  EXPECT_EQ(apply_file("/nosuch/culprit.toml", rows).error().what,
            "/nosuch/culprit.toml: no such file");
  EXPECT_EQ(apply_file("/", rows).error().what, "/: not a regular file");
}

TEST_F(SettingsFile, ValuesAreShownAsTheFileWritesThem) {
  EXPECT_EQ(value_text(rows[0]), "0.1");
  EXPECT_EQ(value_text(rows[2]), "true");
  EXPECT_EQ(value_text(rows[3]), "\"bar\"");
}

} // namespace
} // namespace culprit::settings
