// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/heap/learn.h"

#include "engine/heap/simulated.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace culprit::heap {
namespace {

using simulated::cell;
using simulated::run_of;
using simulated::Shape;

// 200 points of 10,000 objects with this share (in percent) at indegree 1.
RunSummary run_with(const std::function<double(double at)> &percent) {
  HeapRun run;
  for (uint32_t i = 0; i < 200; ++i) {
    Point point;
    point.index = i + 1;
    point.work = i;
    point.cells[cell(1, 1)] = static_cast<uint64_t>(100 * percent(i / 200.0));
    point.cells[cell(2, 1)] = 10000 - point.cells[cell(1, 1)];
    run.points.push_back(point);
  }
  return summarize(run, {});
}

const LearnedMetric &metric(const HeapModel &model, std::string_view name) {
  return *std::ranges::find_if(model.metrics,
                               [&](const LearnedMetric &m) { return m.metric->name == name; });
}

double wild(double at) { return 50 + 30 * std::sin(at * 70); }

TEST(Learn, AGloballyStableMetricHasTheRangeOfItsRuns) {
  std::vector<RunSummary> runs;
  for (int i = 0; i < 10; ++i)
    runs.push_back(run_with([&](double) { return 40.0 + i; }));
  const HeapModel model = learn(runs, {});
  const LearnedMetric &learned = metric(model, "indegree1");
  EXPECT_EQ(learned.stability, MetricClass::global);
  EXPECT_DOUBLE_EQ(learned.spread.low, 40);
  EXPECT_DOUBLE_EQ(learned.spread.high, 49);
  EXPECT_EQ(learned.stable_runs, 10u);
  EXPECT_EQ(class_name(learned.stability), "global");
}

TEST(Learn, FortyPercentOfTheRunsAreEnoughIfTheOthersStayInside) {
  for (const int stable : {3, 4}) {
    std::vector<RunSummary> runs;
    for (int i = 0; i < 10; ++i)
      if (i < stable)
        runs.push_back(run_with([&](double) { return i % 2 ? 19.0 : 81.0; }));
      else
        runs.push_back(run_with(wild));
    const HeapModel model = learn(runs, {});
    EXPECT_EQ(metric(model, "indegree1").stability == MetricClass::global, stable == 4);
    EXPECT_EQ(model.used_runs, 10u);
  }
}

TEST(Learn, ARunThatLeavesTheRangeIsSuspiciousAndLeftOut) {
  std::vector<RunSummary> runs;
  for (int i = 0; i < 10; ++i)
    runs.push_back(run_with([&](double) { return 40.0 + i / 10.0; }));
  runs.push_back(run_with([](double at) { return 40 + 60 * at; }));
  const HeapModel model = learn(runs, {});
  EXPECT_EQ(model.used_runs, 10u);
  EXPECT_TRUE(model.runs.back().suspicious);
  EXPECT_FALSE(model.runs.back().used);
  EXPECT_TRUE(std::ranges::any_of(model.runs.back().reasons, [](const std::string &reason) {
    return reason.starts_with("'indegree = 2' leaves the range 59.1–60.0 %");
  }));
  EXPECT_LT(metric(model, "indegree1").spread.high, 42);
}

TEST(Learn, AMetricThatWouldAccuseManyRunsIsUnstable) {
  std::vector<RunSummary> runs;
  for (int i = 0; i < 10; ++i)
    if (i < 5)
      runs.push_back(run_with([&](double) { return 40.0; }));
    else
      runs.push_back(run_with(wild));
  const HeapModel model = learn(runs, {});
  EXPECT_EQ(model.used_runs, 10u);
  EXPECT_EQ(metric(model, "indegree1").stability, MetricClass::unstable);
  HeapSettings paper;
  paper.rule = "paper";
  EXPECT_EQ(learn(runs, paper).used_runs, 5u);
}

TEST(Learn, AMetricThatDriftsAlikeInEveryRunIsKnownByWhereOneIs) {
  const auto drift = [](double from) {
    return run_with([from](double at) { return from + 60 * at + 1.5 * std::sin(at * 300); });
  };
  std::vector<RunSummary> runs;
  for (int i = 0; i < 10; ++i)
    runs.push_back(drift(10 + i * 0.3));
  const LearnedMetric learned = metric(learn(runs, {}), "indegree1");
  EXPECT_EQ(learned.stability, MetricClass::local);
  ASSERT_EQ(learned.phases.size(), 10u);
  EXPECT_LT(learned.phases[0].spread.high, learned.phases[9].spread.low);
  // Runs that drift each in a way of its own are not alike.
  for (int i = 0; i < 10; ++i)
    runs[static_cast<size_t>(i)] =
        run_with([i](double at) { return 50 + 40 * std::sin(at * (4 + i) + i); });
  EXPECT_EQ(metric(learn(runs, {}), "indegree1").stability, MetricClass::unstable);
}

TEST(Learn, PhasesMakeAMetricLocallyStable) {
  std::vector<RunSummary> runs;
  for (int i = 0; i < 8; ++i)
    runs.push_back(run_with([&](double at) { return at < 0.4 + i * 0.01 ? 20.0 + i : 70.0 + i; }));
  const LearnedMetric learned = metric(learn(runs, {}), "indegree1");
  EXPECT_EQ(learned.stability, MetricClass::local);
  ASSERT_EQ(learned.phases.size(), 2u);
  EXPECT_DOUBLE_EQ(learned.phases[0].spread.low, 20);
  EXPECT_DOUBLE_EQ(learned.phases[0].spread.high, 27);
  EXPECT_DOUBLE_EQ(learned.phases[1].spread.low, 70);
  EXPECT_GT(learned.phases[1].end, 0.95);
}

TEST(Learn, ShortAndEmptyRunsAreNotUsedAndSayWhy) {
  HeapRun few;
  few.points.resize(3);
  HeapRun empty;
  for (uint32_t i = 0; i < 50; ++i) {
    empty.points.emplace_back();
    empty.points.back().index = i + 1;
    empty.points.back().work = i;
  }
  const std::vector<RunSummary> runs = {summarize(few, {}), summarize(empty, {}),
                                        run_with([](double) { return 40.0; })};
  const HeapModel model = learn(runs, {});
  EXPECT_EQ(model.used_runs, 1u);
  EXPECT_EQ(model.runs[0].reasons.at(0), "only 3 metric points, 10 are needed");
  EXPECT_EQ(model.runs[1].reasons.at(0), "fewer than 16 live objects for most of the run");
  EXPECT_FALSE(model.runs[0].suspicious);
}

TEST(Learn, DoesNotDependOnTheOrderOfTheRuns) {
  const Shape shape{{{1, 0.6, {{cell(2, 2), 0.9}, {cell(1, 1), 0.1}}}, {2, 0.4, {{cell(1, 0), 1}}}},
                    200,
                    20000,
                    0.1};
  std::vector<RunSummary> runs;
  for (uint64_t i = 0; i < 12; ++i)
    runs.push_back(summarize(run_of(shape, i), {}));
  const HeapModel a = learn(runs, {});
  std::ranges::reverse(runs);
  std::swap(runs[2], runs[7]);
  const HeapModel b = learn(runs, {});
  for (size_t i = 0; i < a.metrics.size(); ++i) {
    EXPECT_EQ(a.metrics[i].stability, b.metrics[i].stability);
    EXPECT_EQ(a.metrics[i].spread.low, b.metrics[i].spread.low);
    EXPECT_EQ(a.metrics[i].spread.high_stddev, b.metrics[i].spread.high_stddev);
    EXPECT_EQ(a.metrics[i].mean_change, b.metrics[i].mean_change);
  }
  for (const auto &[id, site] : a.sites) {
    EXPECT_EQ(site.cells, b.sites.at(id).cells);
    EXPECT_EQ(site.share, b.sites.at(id).share);
    EXPECT_EQ(site.objects, b.sites.at(id).objects);
  }
}

TEST(Learn, KnowsWhatASitesObjectsLookLike) {
  const Shape shape{
      {{1, 0.75, {{cell(2, 2), 0.9}, {cell(1, 1), 0.1}}}, {2, 0.25, {{cell(1, 0), 1}}}}};
  std::vector<RunSummary> runs;
  for (uint64_t i = 0; i < 10; ++i)
    runs.push_back(summarize(run_of(shape, i), {}));
  const HeapModel model = learn(runs, {});
  const LearnedSite &site = model.sites.at(1);
  EXPECT_EQ(site.runs, 10u);
  EXPECT_NEAR(site.share, 0.75, 0.02);
  EXPECT_NEAR(site.cells[cell(2, 2)], 0.9, 0.02);
  EXPECT_NEAR(site.metrics[CULPRIT_METRIC_INDEGREE2].low, 89, 2);
  EXPECT_EQ(site.stable_runs[CULPRIT_METRIC_INDEGREE2], 10u);
}

TEST(Learn, TheRuntimeGetsTheRangesOfGlobalDegreeMetrics) {
  std::vector<RunSummary> runs;
  for (int i = 0; i < 10; ++i)
    runs.push_back(run_with([&](double at) { return i < 9 ? wild(at) : 40.0; }));
  const std::vector<culprit_range> ranges = runtime_ranges(learn(runs, {}));
  for (const culprit_range &range : ranges) // indegree 1 and 2 are unstable here
    EXPECT_TRUE(range.metric != CULPRIT_METRIC_INDEGREE1 &&
                range.metric != CULPRIT_METRIC_INDEGREE2);
  const auto out = std::ranges::find(ranges, CULPRIT_METRIC_OUTDEGREE1, &culprit_range::metric);
  ASSERT_NE(out, ranges.end());
  EXPECT_DOUBLE_EQ(out->low, 100);
}

TEST(Learn, WhatMostRunsDoNotHaveIsNotStable) {
  // Counts of components in 4 of 15 runs: fewer than are needed of all.
  std::vector<RunSummary> runs;
  for (uint64_t i = 1; i <= 15; ++i) {
    HeapRun run = simulated::run_of({{{1, 1, {{simulated::cell(2, 2), 1}}}}}, i);
    if (i <= 4)
      for (Point &point : run.points)
        point.components = Components{1, point.live_objects, point.live_objects, 1};
    runs.push_back(summarize(run, {}));
  }
  for (const LearnedMetric &learned : learn(runs, {}).metrics)
    if (is_paced(*learned.metric)) {
      EXPECT_EQ(learned.runs, 4u);
      EXPECT_EQ(learned.stability, MetricClass::unstable);
    }
}

} // namespace
} // namespace culprit::heap
