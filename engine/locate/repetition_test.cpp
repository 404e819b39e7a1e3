// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/repetition.h"

#include "abi/locate.h"
#include "engine/locate/simulated.h"

#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

// Executions that crash after so many definitions, one after the other.
struct Executed {
  std::vector<uint64_t> definitions;
  size_t count = 0;

  Result<Repetition> repeated() {
    return repeat_alone([this]() -> Result<Execution> {
      culprit_record_crash crash = crash_at(CULPRIT_CRASH_SIGNAL, 11, 3, {id_at(4, 2)});
      crash.clock = CULPRIT_TICK * definitions.at(count++);
      return Execution{.status = {launch::Ending::signalled, 11}, .crash = run::Crash{crash, {}}};
    });
  }
};

TEST(RepeatAlone, TwoAreEnoughIfTheyAreTheSame) {
  Executed executed{{7, 7}};
  const auto repeated = executed.repeated();
  ASSERT_TRUE(repeated);
  EXPECT_EQ(repeated->difference, "");
  EXPECT_EQ(executed.count, 2u);
}

TEST(RepeatAlone, WhatComesInBetweenOnceIsForgotten) {
  Executed executed{{8, 7, 7}};
  const auto repeated = executed.repeated();
  ASSERT_TRUE(repeated);
  EXPECT_EQ(repeated->difference, "");
  EXPECT_EQ(repeated->first.crash->numbers.clock, CULPRIT_TICK * 7);
}

TEST(RepeatAlone, AProgramThatNeverRepeatsIsToldSo) {
  Executed executed{{1, 2, 3, 4}};
  const auto repeated = executed.repeated();
  ASSERT_TRUE(repeated);
  EXPECT_NE(repeated->difference, "");
  EXPECT_EQ(executed.count, 4u);
}

TEST(RepeatAlone, AnErrorIsHandedOn) {
  EXPECT_FALSE(repeat_alone([]() -> Result<Execution> { return fail("no"); }));
}

} // namespace
} // namespace culprit::locate
