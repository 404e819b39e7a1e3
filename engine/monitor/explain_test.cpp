// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/explain.h"

#include <gtest/gtest.h>

namespace culprit::monitor {
namespace {

heap::HeapRun run_of(std::vector<uint64_t> live) {
  heap::HeapRun run;
  for (const uint64_t objects : live) {
    heap::Point point;
    point.index = static_cast<uint32_t>(run.points.size() + 1);
    point.live_objects = objects;
    point.cells[0] = objects;
    run.points.push_back(point);
  }
  return run;
}

TEST(FirstDifference, EqualPointsDoNotDifferWhateverComesAfter) {
  EXPECT_EQ(first_difference(run_of({1, 2, 3}), run_of({1, 2, 9}), 2), "");
}

TEST(FirstDifference, NamesWhatDiffers) {
  EXPECT_EQ(first_difference(run_of({1, 2, 3}), run_of({1, 5}), 2),
            "metric point 2 had 2 live objects, then 5");
  EXPECT_EQ(first_difference(run_of({1, 2, 3}), run_of({1}), 3),
            "it ended after 1 of 3 metric points");
  heap::HeapRun other = run_of({1, 2});
  other.points[1].cells[0] = 0;
  other.points[1].cells[5] = 2;
  EXPECT_EQ(first_difference(run_of({1, 2}), other, 2),
            "the objects of metric point 2 are linked in another way");
}

unsigned cell_of_indegree_one() { return culprit_cell(1, 0); }

heap::Verdict verdict_at(std::vector<uint32_t> points) {
  heap::Verdict verdict;
  for (const uint32_t point : points) {
    heap::Finding finding;
    finding.metric = &heap::metrics()[0];
    finding.worst_index = point;
    finding.worst_point = point - 1;
    finding.high = true;
    finding.bar = {0, 50};
    verdict.findings.push_back(finding);
  }
  return verdict;
}

TEST(Explain, OneExecutionServesAllFindingsItShows) {
  const heap::HeapRun run = run_of({1, 2, 3});
  int executions = 0;
  symbolize::Symbolizer symbolizer({});
  heap::Verdict verdict = verdict_at({2, 2, 3});
  verdict.findings[2].bar = {0, 100}; // not beyond this one
  const Explanation explanation = explain(verdict, run, {}, symbolizer, [&](uint32_t) {
    ++executions;
    return run_of({1, 2, 3});
  });
  EXPECT_EQ(executions, 2);
  EXPECT_EQ(explanation.findings.size(), 3);
  EXPECT_TRUE(explanation.remarks.empty());
}

TEST(Explain, ARunThatDoesNotRepeatAndDoesNotShowTheSameIsSaidTo) {
  const heap::HeapRun run = run_of({1, 2, 3});
  int executions = 0;
  symbolize::Symbolizer symbolizer({});
  const Explanation explanation = explain(verdict_at({2, 3}), run, {}, symbolizer, [&](uint32_t) {
    ++executions;
    heap::HeapRun other = run_of({1, 7, 9});
    for (heap::Point &point : other.points) { // no roots any more
      point.cells[cell_of_indegree_one()] = point.cells[0];
      point.cells[0] = 0;
    }
    return other;
  });
  EXPECT_EQ(executions, 2);
  ASSERT_EQ(explanation.remarks.size(), 1);
  EXPECT_NE(explanation.remarks[0].find("does not repeat"), std::string::npos);
  EXPECT_EQ(explanation.findings.size(), 2);
  EXPECT_FALSE(explanation.findings[0].blame.has_writers);
}

TEST(Explain, ARunThatDoesNotRepeatButShowsTheSameIsExplainedByItself) {
  const heap::HeapRun run = run_of({1, 2, 3});
  symbolize::Symbolizer symbolizer({});
  const Explanation explanation =
      explain(verdict_at({2}), run, {}, symbolizer, [&](uint32_t) { return run_of({1, 7, 3}); });
  ASSERT_EQ(explanation.remarks.size(), 1);
  EXPECT_NE(explanation.remarks[0].find("another execution that shows the same"),
            std::string::npos);
}

TEST(ShownAgain, AsksForTheSameSideBeyondTheSameBar) {
  heap::Finding finding = verdict_at({2}).findings[0];
  EXPECT_TRUE(shown_again(finding, run_of({1, 7})));
  EXPECT_FALSE(shown_again(finding, run_of({})));
  finding.high = false;
  EXPECT_FALSE(shown_again(finding, run_of({1, 7})));
}

TEST(ShownAgain, ARunThatIsOverEarlierIsLookedAtAtItsEnd) {
  const heap::Finding finding = verdict_at({2}).findings[0];
  const auto shown = shown_again(finding, run_of({7}));
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->worst_index, 1U);
  EXPECT_EQ(shown->worst_point, 0U);
}

TEST(ShownAgain, AHeapThatIsMostlyGoneShowsNothing) {
  heap::Finding finding = verdict_at({2}).findings[0];
  finding.objects = 100;
  EXPECT_TRUE(shown_again(finding, run_of({1, 60})));
  EXPECT_FALSE(shown_again(finding, run_of({1, 40})));
}

TEST(SurestPoint, IsInTheMiddleOfTheLongestStretchThatBothShow) {
  heap::Finding finding = verdict_at({9}).findings[0];
  finding.objects = 100;
  EXPECT_EQ(surest_point(finding, run_of({9, 99, 9, 99, 99, 99, 99, 9, 99}),
                         run_of({9, 99, 99, 99, 99, 99, 9, 9})),
            5U);
  EXPECT_FALSE(surest_point(finding, run_of({9, 99}), run_of({99, 9})));
}

TEST(Explain, WhatIsNotShownAtTheWorstPointIsLookedForWhereItIsSurest) {
  // The worst point is near the end; the other executions are giving everything back by then.
  const heap::HeapRun run = run_of({10, 90, 100, 100, 100, 100});
  heap::Verdict verdict = verdict_at({6});
  verdict.findings[0].objects = 100;
  std::vector<uint32_t> asked;
  symbolize::Symbolizer symbolizer({});
  const Explanation explanation = explain(verdict, run, {}, symbolizer, [&](uint32_t point) {
    asked.push_back(point);
    return run_of({10, 91, 101, 101, 30, 1});
  });
  EXPECT_EQ(asked, (std::vector<uint32_t>{6, 3}));
  ASSERT_EQ(explanation.remarks.size(), 1);
  EXPECT_NE(explanation.remarks[0].find("another execution that shows the same"),
            std::string::npos);
}

TEST(Explain, WithoutExecutionsEveryFindingIsStillThere) {
  symbolize::Symbolizer symbolizer({});
  EXPECT_EQ(explain(verdict_at({1}), run_of({1}), {}, symbolizer, {}).findings.size(), 1);
}

} // namespace
} // namespace culprit::monitor
