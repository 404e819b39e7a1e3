// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/thinning.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace culprit::report::html {
namespace {

std::vector<Point> random_points(std::mt19937_64 &random, size_t count) {
  std::vector<Point> points;
  for (size_t i = 0; i < count; ++i)
    points.push_back({static_cast<double>(i),
                      random() % 9 == 0 ? std::nan("") : static_cast<double>(random() % 1000)});
  return points;
}

TEST(Thinned, FewPointsAreThemselves) {
  EXPECT_EQ(thinned({}, 10).size(), 0U);
  EXPECT_EQ(thinned({{0, 1}, {1, 2}}, 10).size(), 2U);
}

TEST(Thinned, KeepsEndsExtremesAndOrder) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 300; ++i) {
    const std::vector<Point> points = random_points(random, 2 + random() % 5000);
    const size_t most = 4 + random() % 400;
    const std::vector<Point> kept = thinned(points, most);
    ASSERT_LE(kept.size(), most);
    EXPECT_EQ(kept.front().x, points.front().x);
    EXPECT_EQ(kept.back().x, points.back().x);
    EXPECT_TRUE(std::ranges::is_sorted(kept, {}, &Point::x));
    double high = -1;
    double kept_high = -1;
    for (const Point &point : points)
      high = std::isfinite(point.y) ? std::max(high, point.y) : high;
    for (const Point &point : kept)
      kept_high = std::isfinite(point.y) ? std::max(kept_high, point.y) : kept_high;
    EXPECT_EQ(high, kept_high) << "a violation of one point must not vanish";
  }
}

} // namespace
} // namespace culprit::report::html
