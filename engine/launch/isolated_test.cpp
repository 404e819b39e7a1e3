// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/isolated.h"

#include <csignal>
#include <gtest/gtest.h>

namespace culprit::launch {
namespace {

TEST(Isolated, BringsTheResultBack) {
  const std::string large(1 << 20, 'x'); // more than a pipe holds
  EXPECT_EQ(isolated([&]() -> Result<std::string> { return large; }).value(), large);
}

TEST(Isolated, BringsAnErrorBackWithItsHint) {
  const auto result = isolated([]() -> Result<std::string> { return fail("what", "hint"); });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().what, "what");
  EXPECT_EQ(result.error().hint, "hint");
}

TEST(Isolated, ACrashIsAnErrorAndNotOurs) {
  for (const int signal : {SIGKILL, SIGABRT, SIGTRAP}) {
    const auto result = isolated([signal]() -> Result<std::string> {
      ::signal(signal, SIG_DFL);
      ::raise(signal);
      return "";
    });
    EXPECT_FALSE(result) << signal;
  }
}

} // namespace
} // namespace culprit::launch
