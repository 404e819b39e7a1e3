// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How well a part of the objects fits those that moved.
#include "engine/heap/crowd.h"

#include <gtest/gtest.h>

namespace culprit::heap {
namespace {

Tally part(double small, double large, double outside) {
  Tally tally;
  tally.add(1, small, 1);
  tally.add(2, large, 0.01);
  tally.add(3, outside, 0);
  return tally;
}

// 300 objects moved into an empty cell, 40 of 4,000 are what chance left in a large one.
Crowd crowd() {
  Crowd crowd;
  crowd.add(1, 300, 1);
  crowd.add(2, 4000, 0.01);
  crowd.add(3, 1000, 0);
  return crowd;
}

TEST(Crowd, NoMoreOfACellAreExplainedThanMovedThere) {
  EXPECT_DOUBLE_EQ(crowd().moved, 340);
  EXPECT_DOUBLE_EQ(crowd().explained(part(300, 0, 0)), 300);
  EXPECT_DOUBLE_EQ(crowd().explained(part(0, 4000, 0)), 40);
  EXPECT_DOUBLE_EQ(crowd().explained(part(0, 30, 0)), 30);
}

TEST(Crowd, WhoeverTouchesALargeCellWithAFewTooManyIsNotSpecific) {
  EXPECT_GT(crowd().specificity(part(300, 0, 0)), 0.99);
  EXPECT_LT(crowd().specificity(part(0, 4000, 0)), 0.01);
  EXPECT_LT(crowd().specificity(part(300, 4000, 1000)), 0.01);
  EXPECT_DOUBLE_EQ(crowd().specificity(part(0, 0, 1000)), 0);
}

TEST(Crowd, OfAnUnspecificPartAsManyAreExpectedAsAreInProportion) {
  EXPECT_NEAR(crowd().expected(part(0, 2000, 0)), 20, 0.5);
  EXPECT_DOUBLE_EQ(crowd().in_proportion(part(150, 2000, 500)), 170);
}

TEST(Crowd, NothingCanBeComparedWhereAllMoved) {
  Crowd all;
  all.add(1, 100, 1);
  EXPECT_FALSE(all.can_compare());
  Tally half;
  half.add(1, 50, 1);
  EXPECT_DOUBLE_EQ(all.specificity(half), 1);
}

} // namespace
} // namespace culprit::heap
