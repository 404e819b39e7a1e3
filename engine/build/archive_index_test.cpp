// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/archive_index.h"

#include <gtest/gtest.h>

namespace culprit::build {
namespace {

using namespace std::string_view_literals;

TEST(ArchiveIndex, NamesAndMembersAreRead) {
  const auto index = read_archive_index("\0\0\0\2\0\0\0\x44\0\0\1\0one\0two\0"sv);
  ASSERT_TRUE(index);
  EXPECT_EQ(*index, (ArchiveIndex{{"one", 0x44}, {"two", 0x100}}));
}

TEST(ArchiveIndex, ATableThatIsCutOrForgedIsNone) {
  const std::string_view whole = "\0\0\0\2\0\0\0\x44\0\0\1\0one\0two\0"sv;
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(read_archive_index(whole.substr(0, length))) << length;
  EXPECT_FALSE(read_archive_index("\xff\xff\xff\xff\0\0\0\0"sv));
}

} // namespace
} // namespace culprit::build
