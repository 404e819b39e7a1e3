// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/temporary.h"

#include "engine/launch/spawn.h"

#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Temporary, TheDirectoryIsPrivateAndGoneAtTheEnd) {
  fs::path path;
  {
    Result<TemporaryDirectory> made = TemporaryDirectory::create();
    ASSERT_TRUE(made);
    path = made->path();
    struct stat status;
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700U);
    fs::create_directories(path / "a/b");
    std::ofstream(path / "a/b/file") << "x";
    TemporaryDirectory moved = std::move(*made);
    EXPECT_TRUE(fs::exists(path / "a/b/file"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(Temporary, NamesTheDirectoryItCannotBeMadeIn) {
  Result<TemporaryDirectory> made = TemporaryDirectory::create("/no/such/place");
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().what.find("/no/such/place"), std::string::npos);
}

TEST(Temporary, RemovesUnreadableDirectoriesButFollowsNoLink) {
  Result<TemporaryDirectory> made = TemporaryDirectory::create();
  ASSERT_TRUE(made);
  fs::path kept = made->path() / "kept";
  fs::path doomed = made->path() / "doomed";
  fs::create_directories(kept);
  std::ofstream(kept / "file") << "x";
  fs::create_directories(doomed / "closed/inner");
  fs::create_directory_symlink(kept, doomed / "link");
  fs::permissions(doomed / "closed", fs::perms::none);
  EXPECT_TRUE(remove_tree(doomed));
  EXPECT_FALSE(fs::exists(doomed));
  EXPECT_TRUE(fs::exists(kept / "file"));
}

TEST(Temporary, ALaterCulpritRemovesWhatAKilledOneLeft) {
  Result<TemporaryDirectory> made = TemporaryDirectory::create();
  ASSERT_TRUE(made);
  fs::path abandoned = made->path() / "culprit-dead";
  fs::path held = made->path() / "culprit-held";
  fs::path other = made->path() / "other-dead";
  fs::path lockless = made->path() / "culprit-lockless";
  timespec old[2] = {{1, 0}, {1, 0}};
  for (const fs::path &path : {abandoned, held, other, lockless}) {
    fs::create_directory(path);
    if (path != lockless)
      std::ofstream(path / "lock") << "";
    ::utimensat(AT_FDCWD, path.c_str(), old, 0);
  }
  // The sweep happens once per process: ask for it in a fresh one, with the held lock held by
  // flock(1).
  Result<ToolOutcome> child = run_tool(
      {.argv = {"flock", (held / "lock").string(), fs::canonical("/proc/self/exe").string(),
                "--gtest_filter=Temporary.TheDirectoryIsPrivateAndGoneAtTheEnd"},
       .extra_environment = {{"TMPDIR", made->path().string()}}});
  ASSERT_TRUE(child) << child.error().what;
  EXPECT_TRUE(child->status.success()) << child->out << child->err;
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_TRUE(fs::exists(held));
  EXPECT_TRUE(fs::exists(other));
  EXPECT_TRUE(fs::exists(lockless));
}

TEST(WriteAtomically, ReplacesTheBytesAndKeepsModeAndLink) {
  Result<TemporaryDirectory> made = TemporaryDirectory::create();
  ASSERT_TRUE(made);
  fs::path file = made->path() / "file";
  fs::path link = made->path() / "link";
  ASSERT_TRUE(write_atomically(file, "one"));
  EXPECT_EQ(contents(file), "one");
  ASSERT_EQ(::chmod(file.c_str(), 0640), 0);
  fs::create_symlink("file", link);
  ASSERT_TRUE(write_atomically(link, std::string_view("two\0", 4)));
  EXPECT_EQ(contents(file), std::string("two\0", 4));
  EXPECT_TRUE(fs::is_symlink(link));
  struct stat status;
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
  // file, link and the lock: nothing partial is left.
  EXPECT_EQ(std::distance(fs::directory_iterator(made->path()), {}), 3);
}

TEST(WriteAtomically, WritesToADeviceInsteadOfReplacingIt) {
  ASSERT_TRUE(write_atomically("/dev/null", "gone"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WriteAtomically, NamesTheFileAndLeavesNothingWhenItFails) {
  Result<void> written = write_atomically("/no/such/place/file", "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().what, "cannot write '/no/such/place/file': No such file or directory");
}

} // namespace
} // namespace culprit::launch
