// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/live/course.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace culprit::report::live {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void add(Course &course, double x, std::vector<double> values) { course.add(x, values); }

TEST(Course, AShortRunIsKeptPointByPoint) {
  Course course(2, 8);
  for (int i = 0; i < 8; ++i)
    add(course, i, {i * 10.0, 5});
  ASSERT_EQ(course.points(0).size(), 8);
  EXPECT_EQ(course.points(0)[3].x, 3);
  EXPECT_EQ(course.points(0)[3].y, 30);
  EXPECT_EQ(course.points(1)[7].y, 5);
  EXPECT_EQ(course.generation(), 0);
}

TEST(Course, KeepsTheLowestAndHighestOfEachPartInTheirOrder) {
  Course course(1, 2);
  for (const double y : {1.0, 9.0, 7.0, 3.0, 5.0, 5.0})
    add(course, course.added(), {y});
  // Two parts of two, then a third part of two: halved to parts of four.
  course.finish();
  const auto points = course.points(0);
  std::vector<double> ys;
  for (const auto &point : points)
    ys.push_back(point.y);
  EXPECT_EQ(ys, std::vector<double>({1, 9, 5}));
  EXPECT_EQ(course.points_in_part(), 4);
  EXPECT_EQ(course.added(), 6);
}

TEST(Course, ADayOfPointsTakesNoMoreRoomAndLosesNoExtreme) {
  Course course(1);
  const size_t many = 300'000;
  for (size_t i = 0; i < many; ++i)
    add(course, static_cast<double>(i), {i == 123'456 ? 99.0 : std::sin(static_cast<double>(i))});
  course.finish();
  EXPECT_LE(course.parts(), Course::kParts);
  EXPECT_GE(course.parts(), Course::kParts / 2);
  const auto points = course.points(0);
  EXPECT_LE(points.size(), 2 * Course::kParts);
  bool seen = false;
  double before = -1;
  for (const auto &point : points) {
    seen |= point.y == 99 && point.x == 123'456;
    EXPECT_GT(point.x, before);
    before = point.x;
  }
  EXPECT_TRUE(seen);
}

TEST(Course, EveryPartStandsForAsManyPointsHoweverOldItIs) {
  Course course(1, 10);
  for (int i = 0; i < 1000; ++i)
    add(course, i, {static_cast<double>(i)});
  const auto points = course.points(0);
  for (size_t i = 2; i + 1 < points.size(); i += 2)
    EXPECT_EQ(points[i].x - points[i - 2].x, static_cast<double>(course.points_in_part()));
}

TEST(Course, WhatIsMissingLeavesNoPoint) {
  Course course(2, 4);
  add(course, 1, {kNone, 1});
  add(course, 2, {4, kNone});
  ASSERT_EQ(course.points(0).size(), 1);
  EXPECT_EQ(course.points(0)[0].x, 2);
  EXPECT_EQ(course.points(1)[0].x, 1);
}

TEST(Course, HasThePointsOfTheLaterPartsAlone) {
  Course course(1, 8);
  for (int i = 0; i < 5; ++i)
    add(course, i, {static_cast<double>(i)});
  ASSERT_EQ(course.points(0, 3).size(), 2);
  EXPECT_EQ(course.points(0, 3)[0].y, 3);
}

} // namespace
} // namespace culprit::report::live
