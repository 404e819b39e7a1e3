// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/watch/keys.h"

#include <gtest/gtest.h>

namespace culprit::cli {
namespace {

using Keys = std::vector<Key>;

TEST(Keys, ArrowsComeInTwoForms) {
  EXPECT_EQ(keys_in("\x1b[A\x1bOB"), Keys({{KeyKind::up}, {KeyKind::down}}));
  EXPECT_EQ(keys_in("\x1b[1;5A"), Keys({{KeyKind::up}}));
}

TEST(Keys, LettersAndDigits) {
  EXPECT_EQ(keys_in("q p7"),
            Keys({{KeyKind::quit}, {KeyKind::pause}, {KeyKind::pause}, {KeyKind::number, 7}}));
}

TEST(Keys, WhatMeansNothingIsLeftOut) {
  EXPECT_EQ(keys_in("\x1b[15~x0\xc3\xa4\x1b[C"), Keys());
  // Pasted or cut short: the letters of a sequence are no keys.
  EXPECT_EQ(keys_in("\x1b["), Keys());
  EXPECT_EQ(keys_in("\x1b"), Keys());
  EXPECT_EQ(keys_in("\x1b[200~"), Keys());
}

} // namespace
} // namespace culprit::cli
