// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/heap/bar.h"

#include "engine/heap/simulated.h"

#include <gtest/gtest.h>

namespace culprit::heap {
namespace {

TEST(Bar, QuantilesAreThoseOfTheNormalDistribution) {
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-9);
  EXPECT_NEAR(normal_quantile(0.975), 1.959964, 1e-5);
  EXPECT_NEAR(normal_quantile(0.999), 3.090232, 1e-5);
}

TEST(Bar, ToleranceFactorsAreNearTheTabulatedOnes) {
  // One-sided, 95 % confidence, 99.9 % coverage.
  EXPECT_NEAR(tolerance_factor(10, 0.999, 0.95), 5.2, 0.2);
  EXPECT_NEAR(tolerance_factor(25, 0.999, 0.95), 4.14, 0.1);
  EXPECT_NEAR(tolerance_factor(1000, 0.999, 0.95), 3.2, 0.1);
}

TEST(Bar, FactorsFallWithMoreRunsAndRiseWithCoverage) {
  for (size_t n = 1; n < 200; ++n) {
    EXPECT_GE(tolerance_factor(n, 0.999, 0.95), tolerance_factor(n + 1, 0.999, 0.95)) << n;
    EXPECT_LE(tolerance_factor(n, 0.999, 0.95), tolerance_factor(n, 0.99999, 0.95)) << n;
    EXPECT_LE(tolerance_factor(n, 0.99, 0.95), tolerance_factor(n, 0.999, 0.95)) << n;
  }
}

TEST(Bar, HoldsTheShareOfNormalRunsItPromises) {
  // Of 20,000 new values, at most 0.1 % on average are beyond a bound from 10, in 95 % of trials.
  simulated::Random random(1);
  int bad = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Extent> runs;
    for (int i = 0; i < 10; ++i) {
      const double value = 50 + 5 * random.normal();
      runs.push_back({value, value, 1});
    }
    Demands demands = heap_demands({});
    demands.points = 0;
    const Range bar = bar_of(spread_of(runs), demands);
    int beyond = 0;
    for (int i = 0; i < 5000; ++i)
      beyond += 50 + 5 * random.normal() > bar.high ? 1 : 0;
    bad += beyond > 5 ? 1 : 0;
  }
  EXPECT_LE(bad, 20);
}

TEST(Bar, IsNeverInsideTheLearnedRange) {
  simulated::Random random(2);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<Extent> runs;
    for (uint64_t i = 0, n = 1 + random.next() % 30; i < n; ++i) {
      const double low = 100 * random.uniform();
      runs.push_back({low, low + 10 * random.uniform(), 1});
    }
    const Spread spread = spread_of(runs);
    const Range bar = bar_of(spread, heap_demands({}));
    EXPECT_LE(bar.low, spread.low - 1);
    EXPECT_GE(bar.high, spread.high + 1);
    // More tests, wider bars.
    const Range few = bar_of(spread, site_demands({}, 10));
    const Range many = bar_of(spread, site_demands({}, 10000));
    EXPECT_LE(many.low, few.low);
    EXPECT_GE(many.high, few.high);
  }
}

std::vector<Step> flat(size_t count, double value, double objects) {
  std::vector<Step> steps;
  for (size_t i = 0; i < count; ++i)
    steps.push_back({value, objects, i, {10, 20}, {9, 21}, true});
  return steps;
}

TEST(Bar, AsksForPersistence) {
  const Demands demands = heap_demands({});
  std::vector<Step> steps = flat(100, 15, 1000);
  for (size_t i = 30; i < 39; ++i)
    steps[i].value = 40;
  EXPECT_FALSE(outside_of(steps, demands).clears);
  EXPECT_TRUE(outside_of(steps, demands).any);
  steps[39].value = 40;
  EXPECT_TRUE(outside_of(steps, demands).clears);
  EXPECT_TRUE(outside_of(steps, demands).high);
  // Five through the end are enough.
  steps = flat(100, 15, 1000);
  for (size_t i = 95; i < 100; ++i)
    steps[i].value = 1;
  const Outside end = outside_of(steps, demands);
  EXPECT_TRUE(end.clears);
  EXPECT_TRUE(end.through_end);
  EXPECT_FALSE(end.high);
  // But not if they all are the same metric point.
  for (size_t i = 95; i < 100; ++i)
    steps[i].point = 95;
  EXPECT_FALSE(outside_of(steps, demands).clears);
}

TEST(Bar, AsksForObjects) {
  const Demands demands = heap_demands({});
  EXPECT_TRUE(outside_of(flat(100, 40, 41), demands).clears);
  EXPECT_FALSE(outside_of(flat(100, 40, 39), demands).clears); // 7.8 objects in excess
  EXPECT_FALSE(outside_of(flat(100, 100, 19), demands).clears);
}

TEST(Bar, ThePapersRuleTakesOnePoint) {
  HeapSettings paper;
  paper.rule = "paper";
  std::vector<Step> steps = flat(100, 15, 3);
  EXPECT_FALSE(outside_of(steps, heap_demands(paper)).clears);
  steps[50].value = 20.01;
  EXPECT_TRUE(outside_of(steps, heap_demands(paper)).clears);
}

TEST(Bar, ConfidenceGrowsWithMarginPersistenceAndSupport) {
  const auto confidence = [](double margin, double share, double support) {
    Outside outside;
    outside.any = true;
    outside.margin_ratio = margin;
    outside.share_ratio = share;
    outside.support_ratio = support;
    return confidence_of(outside);
  };
  EXPECT_DOUBLE_EQ(confidence(1, 1, 1), 0.5);
  for (double x = 1; x < 100; x *= 1.5) {
    EXPECT_GE(confidence(x * 1.5, 1, 1), confidence(x, 1, 1));
    EXPECT_GE(confidence(1, x * 1.5, 1), confidence(1, x, 1));
    EXPECT_GE(confidence(1, 1, x * 1.5), confidence(1, 1, x));
    EXPECT_LT(confidence(x, x, x), 1);
  }
}

} // namespace
} // namespace culprit::heap
