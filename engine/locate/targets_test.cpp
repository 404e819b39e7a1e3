// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/targets.h"

#include "engine/locate/simulated.h"

#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

std::vector<Fired> fired(std::initializer_list<std::pair<uint64_t, uint64_t>> all) {
  std::vector<Fired> records;
  for (const auto &[id, count] : all)
    records.push_back({.id = id | CULPRIT_ID_CORRUPT, .count = count});
  return records;
}

TEST(Targets, ATimeBecomesACount) {
  Targets targets;
  EXPECT_TRUE(targets.add(id_at(700, 5)));
  EXPECT_EQ(targets.rows(), "5 t 700\n");
  const auto met = targets.executed(fired({{id_at(700, 5), 33}}));
  EXPECT_EQ(met.at(id_at(700, 5)).count, 33u);
  EXPECT_EQ(targets.rows(), "5 n 33\n");
}

TEST(Targets, ALaterExecutionOfATargetMeansFromThereOn) {
  Targets targets;
  targets.add(id_at(700, 5));
  targets.executed(fired({{id_at(700, 5), 33}}));
  EXPECT_TRUE(targets.add(id_at(710, 5)));
  EXPECT_EQ(targets.rows(), "5 f 33\n");
  targets.executed(fired({{id_at(700, 5), 33}, {id_at(710, 5), 34}}));
  EXPECT_EQ(targets.rows(), "5 f 33\n");
  EXPECT_TRUE(targets.add(id_at(720, 5)));
  EXPECT_EQ(targets.rows(), "5 a 0\n");
  EXPECT_FALSE(targets.add(id_at(730, 5)));
}

TEST(Targets, OneThatGoesOnIsSuppressedFromItsTimeOnAtOnce) {
  Targets targets;
  EXPECT_TRUE(targets.add(id_at(700, 5), true));
  EXPECT_EQ(targets.rows(), "5 s 700\n");
  const auto met = targets.executed(fired({{id_at(700, 5), 33}}));
  EXPECT_EQ(met.at(id_at(700, 5)).count, 33u);
  EXPECT_EQ(targets.rows(), "5 f 33\n");
}

TEST(Targets, AnEarlierExecutionLowersTheFirst) {
  Targets targets;
  targets.add(id_at(700, 5));
  targets.executed(fired({{id_at(700, 5), 33}}));
  EXPECT_TRUE(targets.add(id_at(600, 5)));
  EXPECT_EQ(targets.rows(), "5 n 33\n5 t 600\n");
  targets.executed(fired({{id_at(600, 5), 30}, {id_at(700, 5), 33}}));
  EXPECT_EQ(targets.rows(), "5 f 30\n");
}

TEST(Targets, TheSameExecutionIsNothingNew) {
  Targets targets;
  targets.add(id_at(700, 5));
  EXPECT_FALSE(targets.add(id_at(700, 5)));
  targets.executed(fired({{id_at(700, 5), 33}}));
  EXPECT_FALSE(targets.add(id_at(700, 5)));
}

TEST(Targets, ADeclarationIsATargetAltogether) {
  Targets targets;
  EXPECT_TRUE(targets.add(9));
  EXPECT_EQ(targets.rows(), "9 a 0\n");
  EXPECT_FALSE(targets.add(9));
  targets.executed({});
  EXPECT_EQ(targets.rows(), "9 a 0\n");
}

TEST(Targets, ATimeThatDoesNotComeAgainIsForgottenTwice) {
  Targets targets;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(targets.add(id_at(700, 5)));
    targets.executed({});
    EXPECT_EQ(targets.rows(), "");
  }
  EXPECT_TRUE(targets.add(id_at(700, 5)));
  EXPECT_EQ(targets.rows(), "5 a 0\n");
}

TEST(Targets, TwoExecutionsOfOneCrashAreBothSuppressed) {
  Targets targets;
  targets.add(id_at(700, 5));
  targets.add(id_at(600, 5));
  EXPECT_EQ(targets.rows(), "5 t 700\n5 t 600\n");
  targets.executed(fired({{id_at(600, 5), 30}, {id_at(700, 5), 33}}));
  EXPECT_EQ(targets.rows(), "5 f 30\n");
}

TEST(Targets, OnlySomeOfThemCanBeKept) {
  Targets targets;
  targets.add(9);
  targets.add(8);
  const std::vector<uint32_t> some = {9, 7};
  EXPECT_EQ(targets.only(some).rows(), "9 a 0\n");
}

TEST(Targets, WhatIsLeftOutQuietlyComesOnTopOfWhatIsSuppressed) {
  const Targets suppressed = Targets::nth(7, 2);
  const Targets fewer = suppressed.without(id_at(30, 9), 21);
  EXPECT_EQ(fewer.rows(), "7 n 2\n9 k 21\n");
  EXPECT_TRUE(fewer.leaves_out_quietly());
  EXPECT_FALSE(suppressed.leaves_out_quietly());
}

TEST(Targets, AnAddressIsWatchedInOneExecution) {
  Targets targets = Targets::nth(7, 2);
  targets.watch(7, 4096);
  EXPECT_EQ(targets.rows(), "7 n 2\n7 w 4096\n");
  targets.executed({});
  EXPECT_EQ(targets.rows(), "7 n 2\n");
}

} // namespace
} // namespace culprit::locate
