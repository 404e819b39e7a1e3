// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/sparkline.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace culprit::report {
namespace {

using Series = std::vector<double>;

TEST(Sparkline, RisesFromTheLowestToTheHighestBlock) {
  EXPECT_EQ(sparkline(Series{0, 1, 2, 3, 4, 5, 6, 7}, 8), "▁▂▃▄▅▆▇█");
}

TEST(Sparkline, ASeriesThatDoesNotMoveIsDrawnInTheMiddle) {
  EXPECT_EQ(sparkline(Series{3, 3, 3}, 8), "▅▅▅");
  EXPECT_EQ(sparkline(Series{0, 0}, 8), "▅▅");
}

TEST(Sparkline, ALongSeriesIsAveragedIntoTheWidth) {
  EXPECT_EQ(sparkline(Series{0, 0, 0, 8, 8, 8}, 2), "▁█");
}

TEST(Sparkline, ValuesOutsideAGivenScaleAreDrawnAtItsEnds) {
  EXPECT_EQ(sparkline(Series{-5, 50, 200}, 3, Scale{0, 100}), "▁▅█");
}

TEST(Sparkline, WhatIsNoNumberIsABlankAndNothingIsNothing) {
  EXPECT_EQ(sparkline(Series{0, std::numeric_limits<double>::quiet_NaN(), 1}, 3), "▁ █");
  EXPECT_EQ(sparkline(Series{}, 10), "");
}

} // namespace
} // namespace culprit::report
