// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/live.h"

#include <future>
#include <gtest/gtest.h>

namespace culprit::cli {
namespace {

TEST(LiveWatch, SaysEachFindingOnceWhileTheRunGoesOn) {
  std::promise<void> asked_often;
  int asked = 0;
  std::vector<std::string> said;
  {
    LiveWatch watch(
        1,
        [&](size_t) -> std::vector<LiveFinding> {
          if (++asked == 3)
            asked_often.set_value();
          return {{"heap.roots.high", "roots left its range"}};
        },
        [&](const std::string &line) { said.push_back(line); });
    asked_often.get_future().wait();
    watch.done(0);
  }
  EXPECT_EQ(said, std::vector<std::string>{"roots left its range"});
}

TEST(LiveWatch, ARunThatIsDoneIsNotLookedAtAnyMore) {
  std::promise<void> asked_twice;
  std::vector<size_t> asked;
  {
    LiveWatch watch(
        2,
        [&](size_t run) -> std::vector<LiveFinding> {
          asked.push_back(run);
          if (asked.size() == 2)
            asked_twice.set_value();
          return {};
        },
        [](const std::string &) {});
    watch.done(0);
    asked_twice.get_future().wait();
  }
  EXPECT_EQ(asked[0], 1);
  EXPECT_EQ(asked[1], 1);
}

} // namespace
} // namespace culprit::cli
