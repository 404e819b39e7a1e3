// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/response_file.h"

#include "engine/build/compile_line.h"
#include "engine/launch/temporary.h"

#include <gtest/gtest.h>

namespace culprit::build {
namespace {

// (An empty argument does not: clang drops it, quoted or not.)
TEST(ResponseFile, ArgumentsComeBackAsTheyWere) {
  const std::vector<std::string> arguments = {"-O1",  "two words", "a\"b",
                                              "c\\d", "e'f",       "line\nline"};
  auto folder = launch::TemporaryDirectory::create();
  ASSERT_TRUE(folder);
  const auto file = folder->path() / "arguments";
  ASSERT_TRUE(launch::write_atomically(file, response_file_text(arguments)));
  EXPECT_EQ(expand_response_files({"@" + file.string()}), arguments);
}

TEST(ResponseFile, OneLongArgumentDoesNotFitACommandLine) {
  EXPECT_TRUE(fits_command_line({"-c", "main.c"}));
  EXPECT_FALSE(fits_command_line({std::string(130'000, 'x')}));
}

} // namespace
} // namespace culprit::build
