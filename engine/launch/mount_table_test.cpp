// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/mount_table.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace culprit::launch {
namespace {

TEST(MountTable, ReadsPathAndTypeWhateverFieldsLieBetween) {
  std::vector<Mount> mounts =
      parse_mount_table("22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
                        "23 22 0:21 / /proc rw - proc proc rw\n"
                        "24 22 8:2 /x /with\\040blank\\134slash rw shared:2 master:3 - btrfs d rw\n"
                        "cut short\n"
                        "25 22 8:3 / /no-type rw -\n");
  ASSERT_EQ(mounts.size(), 3U);
  EXPECT_EQ(mounts[0].path, "/");
  EXPECT_EQ(mounts[0].type, "ext4");
  EXPECT_EQ(mounts[1].type, "proc");
  EXPECT_EQ(mounts[2].path, "/with blank\\slash");
  EXPECT_EQ(mounts[2].type, "btrfs");
}

TEST(MountTable, ThisSystemHasARootAndProc) {
  std::vector<Mount> mounts = mount_table();
  EXPECT_NE(std::ranges::find(mounts, std::filesystem::path("/"), &Mount::path), mounts.end());
  auto proc = std::ranges::find(mounts, std::filesystem::path("/proc"), &Mount::path);
  ASSERT_NE(proc, mounts.end());
  EXPECT_TRUE(is_kernel_interface(proc->type));
}

TEST(MountTable, LyingInAnotherDirectoryIsAboutWholeNames) {
  EXPECT_TRUE(lies_in("/a/b", "/a"));
  EXPECT_TRUE(lies_in("/a/b/c", "/a"));
  EXPECT_TRUE(lies_in("/a", "/"));
  EXPECT_FALSE(lies_in("/ab", "/a"));
  EXPECT_FALSE(lies_in("/a", "/a"));
  EXPECT_FALSE(lies_in("/a", "/a/b"));
  EXPECT_FALSE(lies_in("/", "/"));
}

} // namespace
} // namespace culprit::launch
