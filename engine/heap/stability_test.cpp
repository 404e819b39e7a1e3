// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/heap/stability.h"

#include "engine/heap/simulated.h"

#include <gtest/gtest.h>

#include <cmath>

namespace culprit::heap {
namespace {

const double kNone = std::nan("");

TEST(Stability, ChangeIsInPercentOfTheValueBefore) {
  const Change change = change_of(std::vector<double>{10, 11, 8.8});
  EXPECT_EQ(change.count, 2u);
  EXPECT_NEAR(change.mean, -5, 1e-9);           // +10 % and −20 %
  EXPECT_NEAR(change.stddev, 21.2132034, 1e-6); // of these two
}

TEST(Stability, ChangesFromZeroAreZeroOrLeftOut) {
  EXPECT_EQ(change_of(std::vector<double>{0, 0, 0}).count, 2u);
  EXPECT_EQ(change_of(std::vector<double>{0, 0, 0}).mean, 0);
  EXPECT_EQ(change_of(std::vector<double>{0, 5, 5}).count, 1u);
  EXPECT_EQ(change_of(std::vector<double>{5, kNone, 7}).count, 0u);
  EXPECT_EQ(change_of({}).count, 0u);
}

TEST(Stability, AgreesWithTheDefinitionOnRandomSeries) {
  simulated::Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> series;
    for (uint64_t i = 0, n = 2 + random.next() % 50; i < n; ++i)
      series.push_back(random.uniform() < 0.1 ? 0 : 100 * random.uniform());
    std::vector<double> changes;
    for (size_t i = 1; i < series.size(); ++i)
      if (series[i - 1] != 0)
        changes.push_back((series[i] - series[i - 1]) * 100 / series[i - 1]);
      else if (series[i] == 0)
        changes.push_back(0);
    double mean = 0;
    for (const double change : changes)
      mean += change / static_cast<double>(changes.size());
    double squares = 0;
    for (const double change : changes)
      squares += (change - mean) * (change - mean);
    const Change found = change_of(series);
    ASSERT_EQ(found.count, changes.size());
    if (changes.size() < 2)
      continue;
    const double stddev = std::sqrt(squares / static_cast<double>(changes.size() - 1));
    EXPECT_NEAR(found.mean, mean, 1e-9 * (1 + std::abs(mean)));
    EXPECT_NEAR(found.stddev, stddev, 1e-6 * (1 + stddev));
  }
}

std::vector<double> line(double from, double to, size_t count) {
  std::vector<double> series;
  for (size_t i = 0; i < count; ++i)
    series.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1));
  return series;
}

TEST(Stability, NeedsASmallMeanAndASmallDeviation) {
  const HeapSettings settings;
  EXPECT_TRUE(is_stable(line(40, 41, 80), settings));
  EXPECT_TRUE(is_stable(line(40, 80, 80), settings));  // less than 1 % a step
  EXPECT_FALSE(is_stable(line(10, 40, 80), settings)); // 1.8 % a step
  std::vector<double> jumpy;
  for (int i = 0; i < 80; ++i)
    jumpy.push_back(i % 2 ? 40 : 44);
  EXPECT_FALSE(is_stable(jumpy, settings));
  EXPECT_FALSE(is_stable(line(40, 40, 3), settings)) << "too short";
}

TEST(Stability, NearZeroOnlyThePaperAsksForRelativeChange) {
  std::vector<double> tiny;
  for (int i = 0; i < 80; ++i)
    tiny.push_back(i % 2 ? 0.1 : 0.3);
  HeapSettings settings;
  EXPECT_TRUE(is_stable(tiny, settings));
  settings.rule = "paper";
  EXPECT_FALSE(is_stable(tiny, settings));
}

TEST(Stability, PhasesAreCutAtSpikes) {
  std::vector<double> series = line(20, 20.5, 30);
  series.push_back(45); // a transition of one step
  for (const double value : line(70, 71, 40))
    series.push_back(value);
  const auto phases = phases_of(series, {});
  ASSERT_TRUE(phases);
  ASSERT_EQ(phases->size(), 2u);
  EXPECT_DOUBLE_EQ((*phases)[0].begin, 0);
  EXPECT_DOUBLE_EQ((*phases)[0].high, 20.5);
  EXPECT_DOUBLE_EQ((*phases)[1].low, 70);
  EXPECT_DOUBLE_EQ((*phases)[1].end, 1);
}

TEST(Stability, NoiseHasNoPhases) {
  simulated::Random random(4);
  std::vector<double> noise;
  for (int i = 0; i < 80; ++i)
    noise.push_back(10 + 80 * random.uniform());
  EXPECT_FALSE(phases_of(noise, {}));
  EXPECT_FALSE(phases_of({}, {}));
}

} // namespace
} // namespace culprit::heap
