// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/mutation.h"

#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

Alignment aligned(size_t points, size_t common) {
  Alignment alignment;
  for (size_t i = 0; i < points; ++i)
    alignment.points.push_back({i, i});
  alignment.common = common;
  return alignment;
}

TEST(Mutation, PointsAreSpreadOverWhatComesBehindTheDivergence) {
  EXPECT_EQ(spread_points(aligned(121, 22), 4), (std::vector<size_t>{21, 46, 71, 96}));
}

TEST(Mutation, RunsThatNeverPartAreMutatedAnywhere) {
  EXPECT_EQ(spread_points(aligned(21, 21), 3), (std::vector<size_t>{0, 7, 14}));
}

TEST(Mutation, ThereAreNoMorePointsThanThereAre) {
  EXPECT_EQ(spread_points(aligned(20, 19), 3), (std::vector<size_t>{18, 19}));
  EXPECT_EQ(spread_points(aligned(2, 0), 10), (std::vector<size_t>{0, 1}));
  EXPECT_TRUE(spread_points(aligned(0, 0), 10).empty());
}

} // namespace
} // namespace culprit::explain
