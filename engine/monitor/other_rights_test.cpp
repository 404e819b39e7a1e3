// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/other_rights.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace culprit::monitor {
namespace {

namespace fs = std::filesystem;

TEST(OtherRights, AMarkedProgramOfOurOwnGainsNothing) {
  const fs::path file = fs::path(testing::TempDir()) / "other_rights_test";
  std::ofstream(file) << "a program";
  EXPECT_FALSE(other_rights(file).is_marked);
  for (const fs::perms bit : {fs::perms::set_uid, fs::perms::set_gid}) {
    fs::permissions(file, fs::perms::owner_all | bit);
    EXPECT_TRUE(other_rights(file).is_marked);
    EXPECT_FALSE(other_rights(file).has_gain) << "it is ours, and we are who we are";
  }
  fs::remove(file);
  EXPECT_FALSE(other_rights(file).is_marked);
}

} // namespace
} // namespace culprit::monitor
