// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/live/simulated_for_tests.h"

#include <cmath>
#include <gtest/gtest.h>

namespace culprit::report::live {
namespace {

Standing standing_at(double now, double low, double high) {
  State state;
  state.metrics[0].range = heap::Range{low, high};
  state.metrics[0].now = now;
  return standing_of(state.metrics[0]);
}

TEST(LiveState, AMetricIsInsideNearOrOutsideWhatWasLearned) {
  EXPECT_EQ(standing_at(20, 10, 30), Standing::inside);
  EXPECT_EQ(standing_at(26, 10, 30), Standing::near);
  EXPECT_EQ(standing_at(14, 10, 30), Standing::near);
  EXPECT_EQ(standing_at(31, 10, 30), Standing::outside);
  EXPECT_EQ(standing_at(9, 10, 30), Standing::outside);
}

TEST(LiveState, NothingIsNearTheEndsOfANarrowRangeNorWhereNoValueCanBeBeyond) {
  EXPECT_EQ(standing_at(0.1, 0, 0.1), Standing::inside);
  EXPECT_EQ(standing_at(1, 0, 30), Standing::inside);
  EXPECT_EQ(standing_at(99, 60, 100), Standing::inside);
}

TEST(LiveState, WithoutARangeOrAValueNothingIsSaid) {
  State state;
  state.add(point_with_roots(1, 20));
  EXPECT_EQ(state.metrics[0].standing, Standing::unknown);
  EXPECT_EQ(state.metrics[0].now, 20);
  EXPECT_TRUE(std::isnan(state.metrics[7].now)); // components were not counted
  EXPECT_STREQ(standing_text(Standing::unknown), "");
}

TEST(LiveState, TotalsAreThoseOfTheLastPoint) {
  const State state = state_of_list();
  EXPECT_EQ(state.course.added(), 40);
  EXPECT_EQ(state.totals.work, 40'000);
  EXPECT_EQ(state.totals.live_objects, 100);
  EXPECT_EQ(state.totals.edges, 60);
  EXPECT_EQ(state.metrics[0].standing, Standing::outside);
}

} // namespace
} // namespace culprit::report::live
