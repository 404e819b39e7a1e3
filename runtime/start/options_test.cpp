// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/start/options.h"

#include <gtest/gtest.h>

#include <string>

namespace culprit::start {
namespace {

Options parse(const std::string &text) {
  Options options;
  parse_options(text.data(), text.size(), options);
  return options;
}

TEST(Options, AreTheDefaultsOfTheListWithoutAText) {
  Options options = parse("");
  EXPECT_STREQ(options.run.text, "");
  EXPECT_STREQ(options.objects.text, "");
  EXPECT_EQ(options.stack_depth, 16u);
}

TEST(Options, ArePairsBetweenColonsWithAnyPadding) {
  Options options = parse("::run=/a/b.run:stack_depth=40:::objects=/s:::::::");
  EXPECT_STREQ(options.run.text, "/a/b.run");
  EXPECT_STREQ(options.objects.text, "/s");
  EXPECT_EQ(options.stack_depth, 40u);
}

TEST(Options, TheLastOfTwoCounts) {
  EXPECT_EQ(parse("stack_depth=1:stack_depth=2").stack_depth, 2u);
}

TEST(Options, UnknownKeysAndBadNumbersChangeNothing) {
  Options options =
      parse("new_key=1:stack_depth=x:stack_depth=99999999999999999999999:runs=/x:ru=/y:run");
  EXPECT_EQ(options.stack_depth, 16u);
  EXPECT_STREQ(options.run.text, "");
}

TEST(Options, APathThatIsTooLongIsNoPath) {
  EXPECT_STREQ(parse("run=" + std::string(600, 'x')).run.text, "");
  EXPECT_EQ(std::string(parse("run=" + std::string(511, 'x')).run.text).size(), 511u);
}

TEST(Options, AValueMayHoldEqualsSigns) { EXPECT_STREQ(parse("run=/a=b").run.text, "/a=b"); }

} // namespace
} // namespace culprit::start
