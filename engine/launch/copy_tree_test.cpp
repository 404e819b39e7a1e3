// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/copy_tree.h"

#include "engine/launch/launch_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;

class CopyTree : public testing::Test {
protected:
  void SetUp() override { fs::create_directories(from_ / "sub"); }

  TemporaryDirectory directory_ = *TemporaryDirectory::create();
  fs::path from_ = directory_.path() / "from";
  fs::path to_ = directory_.path() / "to";
};

TEST_F(CopyTree, KeepsBytesModesTimesAndLinks) {
  std::string large(5 << 20, 'x');
  write_file(from_ / "sub/large", large);
  write_file(from_ / "empty", "");
  fs::create_symlink("/no/where", from_ / "dangling");
  ASSERT_EQ(::mkfifo((from_ / "pipe").c_str(), 0600), 0);
  fs::permissions(from_ / "empty", fs::perms(0741));
  timespec times[2] = {{1000, 0}, {2000, 500}};
  for (const char *name : {"empty", "sub"})
    ASSERT_EQ(::utimensat(AT_FDCWD, (from_ / name).c_str(), times, 0), 0);
  Result<void> copied = copy_tree(from_, to_, {});
  ASSERT_TRUE(copied) << copied.error().what;
  EXPECT_EQ(file_contents(to_ / "sub/large"), large);
  EXPECT_EQ(fs::read_symlink(to_ / "dangling"), "/no/where");
  EXPECT_TRUE(fs::is_fifo(to_ / "pipe"));
  struct stat status;
  for (const char *name : {"empty", "sub"}) {
    ASSERT_EQ(::stat((to_ / name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mtim.tv_sec, 2000);
    EXPECT_EQ(status.st_mtim.tv_nsec, 500);
  }
  EXPECT_EQ(fs::status(to_ / "empty").permissions(), fs::perms(0741));
}

TEST_F(CopyTree, LeavesOutWhatItIsTold) {
  write_file(from_ / "sub/file", "x");
  write_file(from_ / "other", "x");
  ASSERT_TRUE(copy_tree(from_, to_, from_ / "sub"));
  EXPECT_FALSE(fs::exists(to_ / "sub"));
  EXPECT_TRUE(fs::exists(to_ / "other"));
}

TEST_F(CopyTree, CountsOnlyAsFarAsNeeded) {
  write_file(from_ / "a", std::string(1000, 'x'));
  write_file(from_ / "sub/b", std::string(500, 'x'));
  EXPECT_EQ(tree_bytes(from_, 10000), 1500U);
  EXPECT_GT(tree_bytes(from_, 600), 600U);
}

TEST_F(CopyTree, NamesWhatCannotBeRead) {
  Result<void> copied = copy_tree(from_ / "none", to_, {});
  ASSERT_FALSE(copied);
  EXPECT_NE(copied.error().what.find("from/none"), std::string::npos);
}

} // namespace
} // namespace culprit::launch
