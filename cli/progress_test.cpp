// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/progress.h"

#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

namespace culprit::cli {
namespace {

using namespace std::chrono_literals;

TEST(Progress, TheTimeLeftFollowsThePaceSoFar) {
  EXPECT_EQ(render_time_left({"x", 0, 10, 5s}), "");
  EXPECT_EQ(render_time_left({"x", 5, 10, 5s}), "5 s left");
  EXPECT_EQ(render_time_left({"x", 1, 10, 60s}), "9 min left");
  EXPECT_EQ(render_time_left({"x", 1, 1000, 60s}), "17 h left");
  EXPECT_EQ(render_time_left({"x", 10, 10, 5s}), "");
}

TEST(Progress, TheBarFitsItsWidth) {
  ProgressState state{"train", 12, 25, 30s};
  EXPECT_EQ(render_bar(state, 44), "train [========>          ] 12/25, 33 s left");
  EXPECT_EQ(render_line(state), "train: 12 of 25 done, 33 s left");
  for (size_t width = 0; width < 120; ++width)
    EXPECT_LE(render_bar(state, width).size(), width);
  EXPECT_EQ(render_bar(state, 8), "train 12");
  EXPECT_EQ(render_bar({"check", 3, 3, 1s}, 30), "check [==================] 3/3");
  EXPECT_EQ(render_bar({"check", 0, 0, 1s}, 20), "check [          ] 0");
  EXPECT_EQ(render_bar({"explain", 14, 0, 1s}, 24), "explain [=>         ] 14");
  EXPECT_EQ(render_line({"explain", 14, 0, 1s}), "explain: 14 done");
}

TEST(Progress, OnlyATerminalThatCanEraseGetsABar) {
  ::setenv("TERM", "xterm", 1);
  int nothing = ::open("/dev/null", O_WRONLY);
  EXPECT_EQ(progress_style(nothing, false), ProgressStyle::lines);
  EXPECT_EQ(progress_style(nothing, true), ProgressStyle::none);
  ::close(nothing);
  int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0)
    GTEST_SKIP() << "no pseudo terminal to be had here";
  EXPECT_EQ(progress_style(terminal, false), ProgressStyle::bar);
  EXPECT_EQ(progress_style(terminal, true), ProgressStyle::none);
  ::setenv("TERM", "dumb", 1);
  EXPECT_EQ(progress_style(terminal, false), ProgressStyle::lines);
  ::close(terminal);
}

class ProgressOutput : public testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(::pipe2(ends_, O_NONBLOCK), 0); }
  void TearDown() override {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  std::string written() {
    char buffer[4096];
    ssize_t count = ::read(ends_[0], buffer, sizeof(buffer));
    return {buffer, count > 0 ? static_cast<size_t>(count) : 0};
  }
  ProgressOptions options(size_t total, ProgressStyle style) const {
    return {.label = "train", .total = total, .descriptor = ends_[1], .style = style};
  }
  void wait_for_output() {
    pollfd event{ends_[0], POLLIN, 0};
    ASSERT_EQ(::poll(&event, 1, 60000), 1);
  }

  int ends_[2] = {-1, -1};
};

TEST_F(ProgressOutput, TheBarCountsAndErasesItself) {
  {
    Progress progress(options(4, ProgressStyle::bar));
    progress.advance(3);
    wait_for_output();
    EXPECT_NE(written().find("] 3/4"), std::string::npos);
    progress.clear();
    wait_for_output(); // erased, and soon back
    progress.advance();
    progress.finish();
  }
  EXPECT_TRUE(written().ends_with("\r\x1b[K"));
}

TEST_F(ProgressOutput, ShortJobsAndQuietOnesShowNothing) {
  {
    Progress quiet(options(1, ProgressStyle::none));
    quiet.advance();
    quiet.clear();
    Progress lines(options(1, ProgressStyle::lines));
    lines.advance();
  }
  EXPECT_EQ(written(), "");
}

TEST_F(ProgressOutput, ElsewhereALineIsPrintedEveryFewSeconds) {
  Progress progress(options(2, ProgressStyle::lines));
  progress.advance();
  wait_for_output();
  std::string line = written();
  EXPECT_TRUE(line.starts_with("train: 1 of 2 done, ")) << line;
  EXPECT_TRUE(line.ends_with(" left\n")) << line;
}

} // namespace
} // namespace culprit::cli
