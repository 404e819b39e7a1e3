// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/heap/judge.h"

#include "engine/heap/bar.h"
#include "engine/heap/simulated.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

namespace culprit::heap {
namespace {

using simulated::cell;
using simulated::Fault;
using simulated::run_of;
using simulated::Shape;

Shape doubly_linked_list() {
  return {{{1, 0.9, {{cell(2, 2), 0.99}, {cell(1, 1), 0.01}}}, {2, 0.1, {{cell(1, 0), 1}}}}};
}
Shape tree() { return {{{1, 1, {{cell(1, 2), 0.4}, {cell(1, 0), 0.5}, {cell(1, 1), 0.1}}}}}; }
Shape hash_table() {
  return {{{1, 0.5, {{cell(1, 1), 0.7}, {cell(1, 2), 0.3}}},
           {2, 0.5, {{cell(1, 0), 1}}},
           {3, 0, {{cell(0, 3), 1}}, 4}}};
}
Shape fixed_overhead() { // shares fall as the input grows
  return {
      {{1, 1, {{cell(2, 1), 0.8}, {cell(1, 1), 0.2}}}, {2, 0, {{cell(0, 0), 1}}, 60}}, 200, 20000};
}
Shape two_phases() {
  return {{{1, 0.8, {{cell(1, 1), 1}}, 0, 0.3}, {2, 0.2, {{cell(0, 0), 1}}, 0, 0.7}},
          1000,
          20000,
          0.01,
          0.002,
          0,
          false};
}
Shape noisy() {
  return {{{1, 0.5, {{cell(1, 1), 0.6}, {cell(2, 1), 0.4}}},
           {2, 0.5, {{cell(1, 0), 0.5}, {cell(0, 1), 0.5}}}},
          1000,
          20000,
          0.15,
          0.1};
}
Shape small_heap() {
  Shape shape = doubly_linked_list();
  shape.smallest = 40;
  shape.largest = 150;
  return shape;
}
Shape drifting() {
  Shape shape = hash_table();
  shape.drift = 0.005;
  return shape;
}
Shape many_sites() {
  Shape shape;
  for (uint64_t i = 1; i <= 60; ++i)
    shape.sites.push_back({i, 1.0 / 60, {{cell(1, i % 3), 0.9}, {cell(2, i % 3), 0.1}}});
  return shape;
}

HeapModel model_of(const Shape &shape, size_t runs, const HeapSettings &settings = {}) {
  std::vector<RunSummary> training;
  for (size_t i = 0; i < runs; ++i)
    training.push_back(summarize(run_of(shape, 1 + i), settings));
  return learn(training, settings);
}

struct Named {
  const char *name;
  Shape shape;
};
std::vector<Named> shapes() {
  return {{"doubly linked list", doubly_linked_list()},
          {"tree", tree()},
          {"hash table", hash_table()},
          {"fixed overhead", fixed_overhead()},
          {"two phases", two_phases()},
          {"noisy", noisy()},
          {"small heap", small_heap()},
          {"drifting", drifting()},
          {"many sites", many_sites()}};
}

std::string described(const std::vector<Finding> &findings) {
  std::string text;
  for (const Finding &finding : findings)
    text += fmt::format("{} {:.2f} range {:.2f}-{:.2f} bar {:.2f}-{:.2f} conf {:.2f}; ", finding.id,
                        finding.value, finding.range.low, finding.range.high, finding.bar.low,
                        finding.bar.high, finding.confidence);
  return text;
}

// Sanitizers look for faults of the code, which a fifth of the runs shows as well.
#if __has_feature(address_sanitizer)
constexpr uint64_t kEvery = 5;
#else
constexpr uint64_t kEvery = 1;
#endif

TEST(Judge, FindsNothingInTwoHundredHealthyRunsOfAnyShape) {
  for (const size_t training : {5, 10, 25})
    for (const Named &named : shapes()) {
      const HeapModel model = model_of(named.shape, training);
      EXPECT_EQ(model.used_runs, training) << named.name;
      for (uint64_t seed = 1000; seed < 1200; seed += kEvery) {
        const Verdict verdict = judge(model, run_of(named.shape, seed), {});
        EXPECT_TRUE(verdict.findings.empty())
            << named.name << " trained on " << training << ", seed " << seed << ": "
            << described(verdict.findings);
        EXPECT_TRUE(std::ranges::none_of(verdict.notes, [](const Finding &note) {
          return note.metric != nullptr && note.metric->kind == MetricKind::size;
        })) << named.name;
      }
    }
}

TEST(Judge, FindsPlantedShiftsOfFiveToFiftyPoints) {
  // 0.9 of the heap are list nodes; a share of them loses one pointer.
  const HeapModel model = model_of(doubly_linked_list(), 15);
  for (const double share : {0.06, 0.1, 0.2, 0.35, 0.55}) {
    const HeapRun bad = run_of(doubly_linked_list(), 5000, {1, cell(2, 2), cell(1, 2), share});
    const Verdict verdict = judge(model, bad, {});
    ASSERT_FALSE(verdict.findings.empty()) << share;
    EXPECT_FALSE(verdict.findings[0].of_site);
    EXPECT_EQ(verdict.findings[0].rank, 1);
    EXPECT_TRUE(verdict.findings[0].stayed);
    EXPECT_NEAR(verdict.findings[0].left_at, 0.28, 0.15) << "work grows faster than points";
    EXPECT_GE(verdict.findings[0].confidence, 0.5);
    const bool in_degree = std::ranges::any_of(verdict.findings, [](const Finding &finding) {
      return finding.id == "heap.indegree1.high" || finding.id == "heap.indegree2.low";
    });
    EXPECT_TRUE(in_degree) << described(verdict.findings);
  }
}

TEST(Judge, FindsShiftsInEveryShapeThatHasStableMetrics) {
  const std::vector<std::pair<Shape, Fault>> cases = {
      {tree(), {1, cell(1, 2), cell(1, 1), 0.4}},
      {hash_table(), {1, cell(1, 1), cell(2, 1), 0.5}},
      {fixed_overhead(), {1, cell(2, 1), cell(0, 1), 0.5}},
      {two_phases(), {1, cell(1, 1), cell(2, 1), 0.9}},
      {drifting(), {1, cell(1, 1), cell(0, 1), 0.6}}};
  for (const auto &[shape, fault] : cases) {
    const Verdict verdict = judge(model_of(shape, 15), run_of(shape, 6000, fault), {});
    EXPECT_FALSE(verdict.findings.empty()) << fault.share;
  }
}

TEST(Judge, SaysWhichDegreeTheObjectsOfASiteLost) {
  Shape shape;
  shape.sites.push_back({1, 0.5, {{cell(1, 5), 0.5}, {cell(1, 0), 0.5}}}); // nodes and their names
  shape.sites.push_back({2, 0.5, {{cell(1, 1), 1}}});
  const HeapModel model = model_of(shape, 15);
  const Verdict verdict = judge(model, run_of(shape, 7000, {1, cell(1, 5), cell(1, 4), 0.8}), {});
  ASSERT_EQ(verdict.findings.size(), 1U) << described(verdict.findings);
  EXPECT_EQ(verdict.findings[0].metric->name, "pointers");
  EXPECT_FALSE(verdict.findings[0].high);
  EXPECT_EQ(verdict.findings[0].lost_degree, 5U);
}

TEST(Judge, FindsOneBadSiteInALargeHealthyHeap) {
  // A sixtieth of the heap: 0.8 points of the whole, half of the objects of the site.
  const HeapModel model = model_of(many_sites(), 15);
  const Verdict verdict =
      judge(model, run_of(many_sites(), 7000, {7, cell(1, 1), cell(0, 1), 0.8}), {});
  ASSERT_FALSE(verdict.findings.empty());
  const auto of_site =
      std::ranges::find_if(verdict.findings, [](const Finding &f) { return f.of_site; });
  ASSERT_NE(of_site, verdict.findings.end());
  EXPECT_EQ(of_site->site, 7u);
  EXPECT_EQ(std::ranges::count_if(verdict.findings, [](const Finding &f) { return f.of_site; }), 1);
}

TEST(Judge, SiteFindingsRankBelowThoseOfTheWholeHeap) {
  const Verdict verdict =
      judge(model_of(doubly_linked_list(), 15),
            run_of(doubly_linked_list(), 5000, {1, cell(2, 2), cell(1, 2), 0.5}), {});
  bool seen_site = false;
  for (size_t i = 0; i < verdict.findings.size(); ++i) {
    EXPECT_EQ(verdict.findings[i].rank, static_cast<int>(i + 1));
    EXPECT_FALSE(seen_site && !verdict.findings[i].of_site);
    seen_site |= verdict.findings[i].of_site;
  }
  EXPECT_TRUE(seen_site);
}

TEST(Judge, FindingsByDegreesRankBeforeThoseByComponents) {
  const auto with_components = [](HeapRun run, bool broken) {
    for (size_t i = 0; i < run.points.size(); ++i) {
      const uint64_t all = total(run.points[i].cells);
      const uint64_t count = broken && i > 100 ? all / 2 : 1;
      run.points[i].components = Components{count, all - count, all, 1};
    }
    return run;
  };
  std::vector<RunSummary> training;
  for (uint64_t i = 1; i <= 15; ++i)
    training.push_back(summarize(with_components(run_of(doubly_linked_list(), i), false), {}));
  const HeapRun bad =
      with_components(run_of(doubly_linked_list(), 5000, {1, cell(2, 2), cell(1, 2), 0.06}), true);
  const Verdict verdict = judge(learn(training, {}), bad, {});
  ASSERT_GE(verdict.findings.size(), 2u);
  EXPECT_EQ(verdict.findings[0].metric->kind, MetricKind::degree);
  EXPECT_TRUE(std::ranges::any_of(verdict.findings, [](const Finding &f) {
    return f.metric->kind == MetricKind::component && !f.of_site;
  }));
}

// A healthy run whose new feature adds objects of a site of its own, in this cell.
HeapRun with_feature(HeapRun run, unsigned of_cell, double share) {
  run.sites.push_back({77, nullptr});
  const auto context = static_cast<uint32_t>(run.sites.size() + 100);
  run.contexts[context] = {run.sites.size() - 1, {}};
  for (size_t i = 0; i < run.points.size(); ++i) {
    ContextChange change{i, context, {}};
    change.cells[of_cell] =
        static_cast<uint64_t>(share * static_cast<double>(total(run.points[i].cells)));
    run.points[i].cells[of_cell] += change.cells[of_cell];
    run.points[i].live_objects += change.cells[of_cell];
    run.changes.push_back(change);
  }
  std::ranges::sort(run.changes, {}, &ContextChange::point);
  return run;
}

TEST(Judge, ObjectsOfNewCodeMayBeLikeAnyThatTrainingKnew) {
  const HeapModel model = model_of(doubly_linked_list(), 15);
  // Leaves, as site 2 has them: more of these than ever, from code training never ran.
  const Verdict verdict =
      judge(model, with_feature(run_of(doubly_linked_list(), 5000), cell(1, 0), 0.1), {});
  EXPECT_TRUE(verdict.findings.empty());
  EXPECT_FALSE(verdict.notes.empty());
}

TEST(Judge, ObjectsOfNewCodeThatAreLikeNoneAreAFinding) {
  // Roots: no site of a healthy run has them.
  const HeapModel model = model_of(doubly_linked_list(), 15);
  const Verdict verdict =
      judge(model, with_feature(run_of(doubly_linked_list(), 5000), cell(0, 0), 0.1), {});
  ASSERT_FALSE(verdict.findings.empty());
  EXPECT_TRUE(std::ranges::any_of(verdict.findings,
                                  [](const Finding &f) { return f.metric->name == "roots"; }));
}

// Components as a healthy program's runtime counts them: at `counts` of its points.
HeapRun with_counts(HeapRun run, size_t counts, Components (*of)(uint64_t objects, double at)) {
  for (size_t i = 0; i < counts; ++i) {
    const size_t point = (i + 1) * run.points.size() / (counts + 1);
    run.points[point].components =
        of(total(run.points[point].cells),
           static_cast<double>(point) / static_cast<double>(run.points.size()));
  }
  return run;
}

Components one_piece(uint64_t objects, double) { return {1, objects, objects, 1}; }
Components in_pieces(uint64_t objects, double) { return {objects / 2, 2, objects, 1}; }
Components two_pieces(uint64_t objects, double at) {
  return at > 0.3 ? Components{2, objects / 2, objects, 1} : one_piece(objects, at);
}

HeapModel model_with_counts(size_t counts) {
  std::vector<RunSummary> training;
  for (uint64_t i = 1; i <= 15; ++i)
    training.push_back(
        summarize(with_counts(run_of(doubly_linked_list(), i), counts, one_piece), {}));
  return learn(training, {});
}

TEST(Judge, ComponentsThatWereCountedOftenEnoughAreJudged) {
  const HeapRun bad = with_counts(run_of(doubly_linked_list(), 5000), 40, in_pieces);
  const Verdict verdict = judge(model_with_counts(40), bad, {});
  ASSERT_FALSE(verdict.findings.empty());
  EXPECT_EQ(verdict.findings[0].metric->name, "components");
}

TEST(Judge, AFewCountsOfComponentsAreNotEvidence) {
  // Neither is a run judged by them,
  const HeapRun bad = with_counts(run_of(doubly_linked_list(), 5000), 6, in_pieces);
  EXPECT_TRUE(judge(model_with_counts(40), bad, {}).findings.empty());
  // nor is a range learned from them,
  const HeapModel model = model_with_counts(6);
  for (const LearnedMetric &learned : model.metrics)
    if (is_paced(*learned.metric))
      EXPECT_EQ(learned.runs, 0u) << learned.metric->name;
  const HeapRun often = with_counts(run_of(doubly_linked_list(), 5000), 40, in_pieces);
  EXPECT_TRUE(judge(model, often, {}).findings.empty());
}

TEST(Judge, OnePointerThatPartsTheLargestComponentIsNoFinding) {
  const HeapRun parted = with_counts(run_of(doubly_linked_list(), 5000), 40, two_pieces);
  const Verdict verdict = judge(model_with_counts(40), parted, {});
  EXPECT_TRUE(verdict.findings.empty());
  EXPECT_TRUE(std::ranges::any_of(verdict.notes, [](const Finding &note) {
    return note.metric != nullptr && note.metric->name == "largest_component";
  }));
}

TEST(Judge, AMomentOutsideIsNoFinding) {
  const HeapModel model = model_of(doubly_linked_list(), 15);
  HeapRun run = run_of(doubly_linked_list(), 5000);
  const HeapRun bad = run_of(doubly_linked_list(), 5000, {1, cell(2, 2), cell(1, 2), 0.5});
  for (size_t i = 150; i < 156; ++i) // 2 % of the run
    run.points[i].cells = bad.points[i].cells;
  const Verdict verdict = judge(model, run, {});
  EXPECT_TRUE(verdict.findings.empty()) << described(verdict.findings);
  EXPECT_FALSE(verdict.notes.empty());
  HeapSettings paper;
  paper.rule = "paper";
  EXPECT_FALSE(judge(model_of(doubly_linked_list(), 15, paper), run, paper).findings.empty());
}

TEST(Judge, FewObjectsAreNoEvidence) {
  Shape tiny = doubly_linked_list();
  tiny.smallest = tiny.largest = 30;
  tiny.grows = false;
  const HeapModel model = model_of(doubly_linked_list(), 15);
  const Verdict verdict = judge(model, run_of(tiny, 3, {1, cell(2, 2), cell(1, 2), 0.2}), {});
  EXPECT_TRUE(verdict.findings.empty()) << described(verdict.findings);
}

TEST(Judge, AShortRunIsNotJudgedAndSaysSo) {
  Shape shape = doubly_linked_list();
  shape.points = 5;
  const Verdict verdict = judge(model_of(doubly_linked_list(), 5), run_of(shape, 1), {});
  EXPECT_TRUE(verdict.findings.empty());
  ASSERT_EQ(verdict.remarks.size(), 1u);
  EXPECT_TRUE(verdict.remarks[0].starts_with("the heap cannot be judged: only 5 metric points"));
}

TEST(Judge, ManyTimesTheObjectsOfTrainingAtTheEndAreANoteAndNoFinding) {
  Shape shape = doubly_linked_list();
  shape.smallest = 1000;
  shape.largest = 2000;
  const HeapModel model = model_of(shape, 15);
  for (const auto &[times, noted] :
       {std::pair(1.5, false), std::pair(3.0, false), std::pair(9.0, true)}) {
    Shape leaking = shape;
    leaking.smallest = leaking.largest = times * 2000;
    const Verdict verdict = judge(model, run_of(leaking, 77), {});
    EXPECT_TRUE(verdict.findings.empty()) << described(verdict.findings);
    const auto note = std::ranges::find(verdict.notes, "heap.live_objects.high", &Finding::id);
    ASSERT_EQ(note != verdict.notes.end(), noted) << times << described(verdict.notes);
    if (noted) {
      EXPECT_GT(note->value, note->bar.high);
      EXPECT_LE(note->range.high, 2100);
      EXPECT_LT(note->confidence, 0.5);
    }
  }
  // The more runs differ, the less is said; and a few say nothing.
  Shape leaking = shape;
  leaking.smallest = leaking.largest = 18000;
  for (const HeapModel &other : {model_of(doubly_linked_list(), 15), model_of(shape, 9)})
    EXPECT_EQ(std::ranges::count(judge(other, run_of(leaking, 77), {}).notes,
                                 "heap.live_objects.high", &Finding::id),
              0);
}

TEST(Judge, ANewSiteIsANote) {
  Shape shape = doubly_linked_list();
  shape.sites.push_back({9, 0.005, {{cell(1, 0), 1}}});
  shape.smallest = 15000;
  const Verdict verdict = judge(model_of(doubly_linked_list(), 15), run_of(shape, 77), {});
  const auto note = std::ranges::find_if(
      verdict.notes, [](const Finding &f) { return f.kind == FindingKind::new_site; });
  ASSERT_NE(note, verdict.notes.end());
  EXPECT_EQ(note->site, 9u);
  EXPECT_TRUE(verdict.findings.empty()) << described(verdict.findings);
}

TEST(Judge, AStableRunAtTheEndOfTheRangeIsANote) {
  // Training runs range widely and none stays at the top; the bad one does.
  HeapSettings settings;
  std::vector<RunSummary> training;
  const auto flat = [&](double percent, double wobble, uint64_t seed) {
    simulated::Random random(seed);
    HeapRun run;
    for (uint32_t i = 0; i < 200; ++i) {
      Point point;
      point.index = i + 1;
      point.work = i;
      const double now = percent + wobble * std::sin(i / 5.0) + 0.1 * random.uniform();
      point.cells[cell(1, 1)] = static_cast<uint64_t>(now * 100);
      point.cells[cell(2, 1)] = 10000 - point.cells[cell(1, 1)];
      run.points.push_back(point);
    }
    return run;
  };
  for (int i = 0; i < 20; ++i)
    training.push_back(summarize(flat(50 + i, 1.5, i), settings));
  const HeapModel model = learn(training, settings);
  const Verdict verdict = judge(model, flat(70.7, 0, 99), settings);
  EXPECT_TRUE(verdict.findings.empty()) << described(verdict.findings);
  EXPECT_TRUE(std::ranges::any_of(verdict.notes, [](const Finding &f) {
    return f.kind == FindingKind::poorly_disguised && f.metric->name == "indegree1" && f.high;
  })) << described(verdict.notes);
}

TEST(Judge, AnUnstableMetricThatIsStableNowIsANote) {
  const auto wild = [&](bool calm, uint64_t seed) {
    simulated::Random random(seed);
    HeapRun run;
    for (uint32_t i = 0; i < 200; ++i) {
      Point point;
      point.index = i + 1;
      point.work = i;
      const double now = calm ? 50 : 20 + 60 * random.uniform();
      point.cells[cell(1, 1)] = static_cast<uint64_t>(now * 100);
      point.cells[cell(2, 1)] = 10000 - point.cells[cell(1, 1)];
      run.points.push_back(point);
    }
    return run;
  };
  std::vector<RunSummary> training;
  for (int i = 0; i < 20; ++i)
    training.push_back(summarize(wild(false, i), {}));
  const HeapModel model = learn(training, {});
  const Verdict verdict = judge(model, wild(true, 99), {});
  EXPECT_TRUE(verdict.findings.empty()) << described(verdict.findings);
  EXPECT_TRUE(std::ranges::any_of(
      verdict.notes, [](const Finding &f) { return f.kind == FindingKind::pathological; }));
  EXPECT_TRUE(std::ranges::none_of(judge(model, wild(false, 100), {}).notes, [](const Finding &f) {
    return f.kind == FindingKind::pathological;
  }));
}

TEST(Judge, PersistentShiftsGiveMoreConfidenceTheLargerTheyAre) {
  const HeapModel model = model_of(doubly_linked_list(), 15);
  double last = 0;
  for (const double share : {0.1, 0.2, 0.4, 0.8}) {
    const Verdict verdict =
        judge(model, run_of(doubly_linked_list(), 5000, {1, cell(2, 2), cell(1, 2), share}), {});
    ASSERT_FALSE(verdict.findings.empty());
    EXPECT_GE(verdict.findings[0].confidence, last);
    EXPECT_LE(verdict.findings[0].confidence, 1);
    last = verdict.findings[0].confidence;
  }
}

TEST(LearnThenJudge, FindsNothingInHealthyRuns) {
  for (const Named &named : shapes()) {
    if (std::string_view(named.name) == "two phases")
      continue; // what comes later cannot be known
    for (uint64_t seed = 1000; seed < 1100; ++seed) {
      Shape shape = named.shape;
      shape.points = 800;
      const Verdict verdict = learn_then_judge(run_of(shape, seed), {});
      EXPECT_TRUE(verdict.findings.empty())
          << named.name << ", seed " << seed << ": " << described(verdict.findings);
    }
  }
}

TEST(LearnThenJudge, FindsALargeShiftInTheSecondHalf) {
  Shape shape = doubly_linked_list();
  shape.points = 800;
  const Verdict verdict =
      learn_then_judge(run_of(shape, 3, {1, cell(2, 2), cell(1, 2), 0.4, 0.8}), {});
  EXPECT_FALSE(verdict.findings.empty());
}

TEST(LearnThenJudge, SaysWhenTheRunIsTooShort) {
  Shape shape = doubly_linked_list();
  shape.points = 20;
  const Verdict verdict = learn_then_judge(run_of(shape, 3), {});
  EXPECT_EQ(verdict.remarks.size(), 1u);
}

} // namespace
} // namespace culprit::heap
