// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/explain_access.h"

#include <gtest/gtest.h>

namespace culprit::monitor {
namespace {

std::vector<std::string> functions(const Frames &frames) {
  std::vector<std::string> names;
  for (const heap::Place &frame : frames)
    names.push_back(frame.function);
  return names;
}

const access::AccessSite kSite = {1, "a.c", 5, 3, "put", "", false, false};

TEST(AccessFrames, BeginAtTheSiteWhateverTheCheckStandsAt) {
  const std::vector<symbolize::Place> stack = {{"put", "a.c", 9, 1}, {"main", "a.c", 20, 2}};
  const Frames frames = frames_from(kSite, stack);
  EXPECT_EQ(functions(frames), (std::vector<std::string>{"put", "main"}));
  EXPECT_EQ(frames[0].line, 5U);
}

TEST(AccessFrames, LeaveOutTheRuntimeAboveAndStartCodeBelow) {
  const std::vector<symbolize::Place> stack = {{"strcpy", "", 0, 0},
                                               {"put", "a.c", 9, 1},
                                               {"main", "a.c", 20, 2},
                                               {"__libc_start_main", "", 0, 0},
                                               {"_start", "", 0, 0}};
  EXPECT_EQ(functions(frames_from(kSite, stack)), (std::vector<std::string>{"put", "main"}));
}

TEST(AccessFrames, KeepCallersWhenTheSitesFunctionIsNotAmongThem) {
  const std::vector<symbolize::Place> stack = {{"main", "a.c", 20, 2}};
  EXPECT_EQ(functions(frames_from(kSite, stack)), (std::vector<std::string>{"put", "main"}));
  EXPECT_EQ(functions(frames_from(kSite, {})), std::vector<std::string>{"put"});
}

TEST(AccessFrames, LeaveOutTheLibraryCodeThatWasInlinedIntoTheSite) {
  std::vector<symbolize::Place> stack(6,
                                      {"std::__copy_move<int>", "/usr/include/c++/12/x.h", 9, 1});
  stack.push_back({"put", "a.c", 9, 1});
  stack.push_back({"main", "a.c", 20, 2});
  EXPECT_EQ(functions(frames_from(kSite, stack)), (std::vector<std::string>{"put", "main"}));
}

TEST(AccessFrames, OfNotesAreLookedUpWhereOneIsLibraryCode) {
  access::AccessSite site = kSite;
  access::AccessRun run;
  run.pairs.emplace_back().site = &site;
  access::Finding note;
  note.members.emplace_back();
  size_t opened = 0;
  const auto symbolizer = [&] {
    ++opened;
    return symbolize::Symbolizer({});
  };
  EXPECT_TRUE(note_stacks({&note, 1}, run, symbolizer).empty());
  EXPECT_EQ(opened, 0U);
  site.file = "/usr/include/c++/12/bits/stl_heap.h";
  EXPECT_EQ(note_stacks({&note, 1}, run, symbolizer).size(), 1U);
  EXPECT_EQ(opened, 1U);
}

TEST(AccessFrames, EndWhereTheStackIsSmashed) {
  const std::vector<symbolize::Place> stack = {
      {"put", "a.c", 9, 1}, {"0x4141414141414141", "", 0, 0}, {"other", "a.c", 20, 2}};
  EXPECT_EQ(functions(frames_from(kSite, stack)), std::vector<std::string>{"put"});
}

TEST(AccessFrames, ARecursiveFunctionIsKeptBelowItself) {
  const std::vector<symbolize::Place> stack = {
      {"put", "a.c", 9, 1}, {"put", "a.c", 7, 1}, {"main", "a.c", 20, 2}};
  EXPECT_EQ(functions(frames_from(kSite, stack)), (std::vector<std::string>{"put", "put", "main"}));
}

} // namespace
} // namespace culprit::monitor
