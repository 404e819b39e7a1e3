// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/live/frame.h"

#include "report/live/simulated_for_tests.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace culprit::report::live {
namespace {

size_t columns(const std::string &text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

std::string shown(const State &state, FrameOptions options) {
  std::string text;
  for (std::string line : frame(state, options)) {
    while (line.ends_with(' '))
      line.pop_back();
    text += line + "\n";
  }
  return text;
}

TEST(LiveFrame, ShowsMetricsWithTheirRangesAndOneLarge) {
  EXPECT_EQ(shown(state_of_list(), {.width = 100, .height = 30}), R"(culprit watch: ./list big.txt
running
time 12 s · metric points 40 · work 40 k · live objects 100 · live bytes 6.4 kB · pointers 60

> 1 roots                                40.0 %  ▃▃▃▃▃▃▃▃▄▄▅▅▆▆▇▇█  10.0–30.0 %, outside its range
  2 indegree = 1                         60.0 %  █████████▇▆▅▅▄▃▂▁
  3 indegree = 2                          0.0 %  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
  4 leaves                              100.0 %  █████████████████
  5 outdegree = 1                         0.0 %  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
  6 outdegree = 2                         0.0 %  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
  7 indegree = outdegree                 40.0 %  ▁▁▁▁▁▁▁▁▁▂▃▄▅▅▆▇█
  8 connected components                      –
  9 largest connected component               –
    strongly connected components             –
    largest strongly connected compon         –
    live objects                            100  ▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅
    live bytes                           6.4 kB  ▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅

roots over the work of this run; the lines are its learned range
    42.4 %                                                                                         ▂
                                                                                           ▁▁▄▄▆▆███
                                                                                    ▂▂▅▅▇▇▇█████████
           ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▁▁▃▃▆▆▆██████████████████
                                                                    ▂▂▂▅▅▇▇█████████████████████████
                                                           ▁▁▁▃▃▆▆██████████████████████████████████
             ▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▇▇█████████████████████████████████████████
             ███████████████████████████████████████████████████████████████████████████████████████
             ███████████████████████████████████████████████████████████████████████████████████████
     7.6 % ╌╌███████████████████████████████████████████████████████████████████████████████████████
q end the program · p pause · ↑ ↓ or 1–9 pick a metric
)");
}

TEST(LiveFrame, NeverHasMoreLinesOrColumnsThanTheTerminal) {
  State state = state_of_list();
  state.command = std::string(300, 'x');
  state.findings = {std::string(300, 'f')};
  state.stacks = {{.metric = 0,
                   .high = true,
                   .when = CULPRIT_STACK_CROSSED,
                   .frames = {{"a.c", 1, 1, std::string(200, 'g')}},
                   .count = 3}};
  for (const size_t width : {1, 5, 20, 31, 40, 60, 79, 80, 120, 300})
    for (const size_t height : {1, 2, 4, 5, 10, 17, 24, 60}) {
      const auto lines = frame(state, {.width = width, .height = height, .chosen = 12});
      EXPECT_LE(lines.size(), height);
      for (const std::string &line : lines)
        EXPECT_LE(columns(line), width) << width << "x" << height << ": " << line;
    }
}

TEST(LiveFrame, TheChosenMetricIsAlwaysShown) {
  for (const size_t height : {6, 8, 12}) {
    const std::string text = shown(state_of_list(), {.width = 80, .height = height, .chosen = 12});
    EXPECT_NE(text.find("> "), std::string::npos) << text;
    EXPECT_NE(text.find("live bytes"), std::string::npos) << text;
  }
}

TEST(LiveFrame, ColourChangesNothingButColour) {
  const FrameOptions plain{.width = 100, .height = 30};
  FrameOptions colored = plain;
  colored.style.color = true;
  std::string text = shown(state_of_list(), colored);
  EXPECT_NE(text.find('\x1b'), std::string::npos);
  for (size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b'))
    text.erase(at, text.find('m', at) - at + 1);
  EXPECT_EQ(text, shown(state_of_list(), plain));
}

TEST(LiveFrame, HostileNamesDoNothingToTheTerminal) {
  State state = state_of_list();
  state.command = "./\x1b[2J\x9b"
                  "31mevil\nname";
  state.findings = {"finding \x1b]0;owned\x07 in f"};
  for (const std::string &line : frame(state, {.width = 100, .height = 40}))
    for (const char byte : line)
      EXPECT_TRUE(byte == '\t' || static_cast<unsigned char>(byte) >= 0x20) << line;
}

TEST(LiveFrame, SaysThatItIsPausedAndHowTheRunEnded) {
  State state = state_of_list();
  EXPECT_NE(shown(state, {.paused = true}).find("running; paused"), std::string::npos);
  state.phase = Phase::judged;
  state.status = "exit code 0";
  state.verdict = "2 findings";
  EXPECT_NE(shown(state, {}).find("ended: exit code 0; 2 findings"), std::string::npos);
}

TEST(LiveFrame, ALineForWhatIsNoTerminal) {
  EXPECT_EQ(line(state_of_list()),
            "12 s: 40 metric points, 100 live objects, 6.4 kB · roots 40.0 % (outside its range) · "
            "indegree = 1 60.0 % · indegree = 2 0.0 % · leaves 100.0 % · outdegree = 1 0.0 % · "
            "outdegree = 2 0.0 % · indegree = outdegree 40.0 %");
}

} // namespace
} // namespace culprit::report::live
