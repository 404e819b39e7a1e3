// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/execution.h"

#include "abi/locate.h"
#include "engine/locate/search.h"
#include "engine/locate/simulated.h"

#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

Execution crashed(const culprit_record_crash &crash) {
  return {.status = {launch::Ending::signalled, 11}, .crash = run::Crash{crash, {}}};
}

TEST(Repetition, EqualCrashesAreOneWhateverIsPrinted) {
  const culprit_record_crash crash = crash_at(CULPRIT_CRASH_SIGNAL, 11, 3, {id_at(4, 2)});
  Execution first = crashed(crash);
  Execution second = crashed(crash);
  second.output = 7;
  EXPECT_EQ(difference(first, second), "");
}

TEST(Repetition, EveryDifferenceOfACrashIsOne) {
  const culprit_record_crash crash = crash_at(CULPRIT_CRASH_SIGNAL, 11, 3, {id_at(4, 2)});
  culprit_record_crash other = crash;
  other.clock = CULPRIT_TICK * 9;
  EXPECT_NE(difference(crashed(crash), crashed(other)), "");
  other = crash;
  other.address += 8;
  EXPECT_NE(difference(crashed(crash), crashed(other)), "");
  other = crash;
  other.place = 4;
  EXPECT_NE(difference(crashed(crash), crashed(other)), "");
  Execution quiet = crashed(crash);
  quiet.crash.reset();
  EXPECT_NE(difference(crashed(crash), quiet), "");
  quiet.status = {launch::Ending::exited, 0};
  EXPECT_NE(difference(crashed(crash), quiet), "");
}

TEST(Execution, WhereAnEndlessLoopWasInterruptedIsNoDifference) {
  culprit_record_crash a = crash_at(CULPRIT_CRASH_ENDLESS, 0, 0);
  culprit_record_crash b = a;
  b.pc = 77;
  b.frames = 9;
  EXPECT_EQ(difference(crashed(a), crashed(b)), "");
  b.leaves[0] = 5;
  EXPECT_NE(difference(crashed(a), crashed(b)), "");
}

TEST(Execution, ADirectoryWithoutARunFileIsAnError) { EXPECT_FALSE(read_execution("/nosuch")); }

TEST(Patience, WhatTheUserAsksForComesFirst) {
  using namespace std::chrono_literals;
  LocateSettings settings;
  EXPECT_EQ(patience(settings, 2s, 5s), 5s);
  EXPECT_EQ(patience(settings, 2s, 0s), 50s);
  settings.timeout = 1.5;
  EXPECT_EQ(patience(settings, 2s, 0s), 1500ms);
}

} // namespace
} // namespace culprit::locate
