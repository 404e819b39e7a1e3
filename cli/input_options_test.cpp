// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/input_options.h"

#include <gtest/gtest.h>

namespace culprit::cli {
namespace {

TEST(InputOptions, ACaseIsShownAsItWouldBeTyped) {
  InputOptions options;
  options.command = {"./game", "@@"};
  options.cases = "levels";
  launch::Case input{.arguments = {"a b", (std::filesystem::current_path() / "in").string()}};
  EXPECT_EQ(options.shown(input), "./game 'a b' in");
  input.standard_input = "/tmp/it's";
  EXPECT_EQ(options.shown(input), "./game 'a b' in < '/tmp/it'\\''s'");
}

} // namespace
} // namespace culprit::cli
