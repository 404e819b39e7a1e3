// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/deep.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace culprit::monitor {
namespace {

namespace fs = std::filesystem;

TEST(Deep, RefusesAProgramThatRunsAsAnotherUser) {
  const fs::path file = fs::path(testing::TempDir()) / "deep_test_other_user";
  std::ofstream(file) << "a program";
  EXPECT_TRUE(refuse_other_user(file));
  for (const fs::perms bit : {fs::perms::set_uid, fs::perms::set_gid}) {
    fs::permissions(file, fs::perms::owner_all | bit);
    EXPECT_FALSE(refuse_other_user(file));
  }
  fs::permissions(file, fs::perms::owner_all);
  EXPECT_TRUE(refuse_other_user(file));
  fs::remove(file);
}

} // namespace
} // namespace culprit::monitor
