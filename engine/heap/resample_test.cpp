// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/heap/resample.h"

#include "engine/heap/simulated.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace culprit::heap {
namespace {

std::vector<Point> points_at(const std::vector<uint64_t> &work, uint64_t objects = 100) {
  std::vector<Point> points;
  for (const uint64_t at : work) {
    Point point;
    point.index = static_cast<uint32_t>(points.size() + 1);
    point.work = at;
    point.cells[simulated::cell(1, 0)] = objects;
    points.push_back(point);
  }
  return points;
}

TEST(Resample, AgreesWithASearchOverAllPoints) {
  simulated::Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<uint64_t> work;
    uint64_t at = 0;
    for (uint64_t i = 0, n = 1 + random.next() % 400; i < n; ++i)
      work.push_back(at += random.next() % (1 + random.next() % 1000));
    HeapSettings settings;
    settings.steps = 1 + random.next() % 150;
    const std::vector<Point> points = points_at(work);
    const std::vector<size_t> steps = step_points(points, settings);
    ASSERT_EQ(steps.size(), std::min<size_t>(settings.steps, points.size()));
    for (size_t i = 0; i < steps.size(); ++i) {
      const double middle = static_cast<double>(work.back()) * (static_cast<double>(i) + 0.5) /
                            static_cast<double>(steps.size());
      size_t expected = 0;
      for (size_t p = 0; p < points.size(); ++p)
        if (static_cast<double>(points[p].work) <= middle)
          expected = p;
      EXPECT_EQ(steps[i], expected);
      EXPECT_TRUE(i == 0 || steps[i - 1] <= steps[i]);
    }
  }
}

TEST(Resample, DensePointsAtTheStartDoNotWeighMore) {
  std::vector<uint64_t> work;
  for (uint64_t i = 1; i <= 100; ++i)
    work.push_back(i);
  for (uint64_t i = 1; i <= 90; ++i)
    work.push_back(100 + i * 10);
  const std::vector<size_t> steps = step_points(points_at(work), {});
  EXPECT_EQ(std::ranges::count_if(steps, [](size_t p) { return p < 100; }), 11);
}

TEST(Resample, AtAFixedFrequencyStepsArePoints) {
  HeapSettings settings;
  settings.every = 100000;
  const std::vector<size_t> steps = step_points(points_at({5, 6, 1000}), settings);
  EXPECT_EQ(steps, (std::vector<size_t>{0, 1, 2}));
  settings.every = 0;
  settings.rule = "paper";
  EXPECT_EQ(settings.points_every(), 100'000u);
  EXPECT_EQ(step_points(points_at(std::vector<uint64_t>(50'000, 1)), settings).size(), 2'000u);
}

TEST(Resample, TooFewObjectsAreMissing) {
  std::vector<Point> points = points_at({1, 2, 3});
  points[1].cells[simulated::cell(1, 0)] = 15;
  const std::vector<size_t> steps = {0, 1, 2};
  const std::vector<double> series = sample(*find_metric("leaves"), points, steps, {});
  EXPECT_EQ(series[0], 100);
  EXPECT_TRUE(std::isnan(series[1]));
  EXPECT_EQ(series[2], 100);
}

TEST(Resample, ComponentsHaveAValueWhereTheyWereCounted) {
  std::vector<Point> points = points_at({1, 2, 3, 4});
  points[1].components = Components{5, 50, 100, 1};
  const std::vector<size_t> steps = {0, 2, 3};
  const std::vector<double> series = sample(*find_metric("largest_component"), points, steps, {});
  EXPECT_TRUE(std::isnan(series[0]));
  EXPECT_EQ(series[1], 50); // counted since the step before
  EXPECT_TRUE(std::isnan(series[2]));
}

TEST(Resample, TrimsATenthAtEachEnd) {
  EXPECT_EQ(judged_window(100, {}).begin, 10u);
  EXPECT_EQ(judged_window(100, {}).end, 90u);
  EXPECT_EQ(judged_window(30, {}).size(), 24u);
  EXPECT_EQ(judged_window(0, {}).size(), 0u);
  EXPECT_EQ(judged_window(1, {}).size(), 1u);
}

TEST(Cells, TellDegreesApartAsFarAsTheyGo) {
  for (unsigned in = 0; in < 12; ++in)
    for (unsigned out = 0; out < 12; ++out) {
      const unsigned cell = culprit_cell(in, out);
      ASSERT_LT(cell, CULPRIT_CELLS);
      EXPECT_EQ(culprit_cell_in(cell), std::min(in, 3U));
      EXPECT_EQ(culprit_cell_out(cell), std::min(out, 7U));
      EXPECT_EQ(culprit_cell_in_metric(cell, CULPRIT_METRIC_IN_EQ_OUT) != 0, in == out);
      EXPECT_EQ(culprit_cell_in_metric(cell, CULPRIT_METRIC_OUTDEGREE2) != 0, out == 2);
    }
}

TEST(Metrics, PointersHeldSeeWhatNoneOfTheSevenSees) {
  Cells short_chains{};
  short_chains[culprit_cell(1, 3)] = 50;
  short_chains[culprit_cell(1, 4)] = 50;
  Cells long_chains{};
  long_chains[culprit_cell(1, 4)] = 100;
  for (size_t metric = 0; metric < CULPRIT_DEGREE_METRICS; ++metric)
    EXPECT_EQ(site_value(short_chains, site_metric(metric)),
              site_value(long_chains, site_metric(metric)));
  const Metric &pointers = *find_metric("pointers");
  EXPECT_EQ(&site_metric(CULPRIT_DEGREE_METRICS), &pointers);
  EXPECT_EQ(site_value(short_chains, pointers), 350);
  EXPECT_EQ(site_value(long_chains, pointers), 400);
}

TEST(Metrics, CountWhatTheCellsSay) {
  Point point;
  point.cells[simulated::cell(0, 0)] = 1;
  point.cells[simulated::cell(1, 2)] = 2;
  point.cells[simulated::cell(2, 1)] = 3;
  point.cells[simulated::cell(3, 4)] = 4;
  point.cells[simulated::cell(5, 5)] = 10;
  point.live_bytes = 77;
  const auto value = [&](const char *name) { return find_metric(name)->value(point); };
  EXPECT_EQ(value("roots"), 5);
  EXPECT_EQ(value("indegree1"), 10);
  EXPECT_EQ(value("indegree2"), 15);
  EXPECT_EQ(value("leaves"), 5);
  EXPECT_EQ(value("outdegree1"), 15);
  EXPECT_EQ(value("outdegree2"), 10);
  EXPECT_EQ(value("in_eq_out"), 55);
  EXPECT_EQ(value("live_objects"), 20);
  EXPECT_EQ(value("live_bytes"), 77);
  EXPECT_FALSE(value("components"));
  EXPECT_FALSE(find_metric("roots")->value(Point{}));
  EXPECT_EQ(find_metric("nothing"), nullptr);
  EXPECT_EQ(metrics()[CULPRIT_METRIC_LEAVES].name, "leaves");
}

} // namespace
} // namespace culprit::heap
