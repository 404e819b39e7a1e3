// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/input_digest.h"

#include "engine/launch/temporary.h"

#include <fstream>
#include <gtest/gtest.h>

namespace culprit::monitor {
namespace {

TEST(InputDigest, ChangesWithWhatAFileHoldsAndNotWithItsName) {
  auto folder = launch::TemporaryDirectory::create();
  ASSERT_TRUE(folder);
  auto digest_of = [&](const char *name, const char *text) {
    std::ofstream(folder->path() / name) << text;
    return input_digest({.arguments = {"-x", (folder->path() / name).string()}});
  };
  EXPECT_EQ(digest_of("a", "one"), digest_of("b", "one"));
  EXPECT_NE(digest_of("a", "one"), digest_of("a", "two"));
}

TEST(InputDigest, StandardInputCounts) {
  auto folder = launch::TemporaryDirectory::create();
  ASSERT_TRUE(folder);
  const auto file = folder->path() / "in";
  std::ofstream(file) << "text";
  EXPECT_NE(input_digest({}), input_digest({.standard_input = file}));
  EXPECT_NE(input_digest({.arguments = {file.string()}}), input_digest({.standard_input = file}));
}

TEST(InputDigest, AnArgumentThatNamesNoFileIsNoError) {
  EXPECT_EQ(input_digest({.arguments = {"/nosuch"}}).size(), 16);
}

} // namespace
} // namespace culprit::monitor
