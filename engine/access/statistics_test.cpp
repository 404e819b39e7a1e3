// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/access/statistics.h"

#include "engine/access/simulated.h"

#include <gtest/gtest.h>

namespace culprit::access {
namespace {

using simulated::LongTail;
using simulated::Program;

struct Statistics : testing::Test {
  Program program{3};
  size_t a = program.add_name(NameKind::global);
  size_t b = program.add_name(NameKind::heap);
  History history;

  Statistics() {
    for (size_t i = 0; i < 4; ++i) {
      AccessRun run = program.start();
      program.meet(run, 0, a, 2);
      if (i == 0)
        program.meet(run, 1, a);
      if (i < 2) {
        program.meet(run, 1, b);
        program.meet(run, 2, b);
      }
      Summary summary = summarize(run);
      summary.run.arguments = std::to_string(i);
      add_run(history, summary);
    }
  }
};

TEST_F(Statistics, SizesSimilaritiesAndInverseSets) {
  const Distributions all = distributions(history, {});
  EXPECT_EQ(all.objects, 2u);
  EXPECT_EQ(all.sites, 3u);
  EXPECT_EQ(all.pairs, 4u);
  EXPECT_EQ(all.runs, 4u);
  EXPECT_EQ(all.accesses, 4u * 2 + 1 + 2 + 2);
  ASSERT_EQ(all.set_size.size(), 1u);
  EXPECT_EQ(all.set_size[0].size, 2u);
  EXPECT_EQ(all.set_size[0].share, 1);
  // b: the two runs that have it agree; a: one of two sites is common to all.
  EXPECT_EQ(share_at(all.similarity, 1.0), 0.5);
  EXPECT_EQ(share_at(all.similarity, 0.51), 0.5);
  EXPECT_EQ(share_at(all.similarity, 0.5), 1);
  EXPECT_DOUBLE_EQ(share_at(all.inverse_size, 1), 2.0 / 3);
  EXPECT_EQ(share_at(all.inverse_size, 2), 1);
  EXPECT_EQ(share_at(all.inverse_size, 0), 0);
}

TEST_F(Statistics, OneKindAlone) {
  const Distributions heap = distributions(history, {}, NameKind::heap);
  EXPECT_EQ(heap.objects, 1u);
  EXPECT_EQ(heap.pairs, 2u);
  EXPECT_EQ(share_at(heap.similarity, 1.0), 1);
}

TEST_F(Statistics, OfNothingIsNothing) {
  const Distributions none = distributions({}, {});
  EXPECT_EQ(none.objects, 0u);
  EXPECT_TRUE(none.set_size.empty());
  EXPECT_EQ(share_at(none.set_size, 5), 0);
}

TEST_F(Statistics, PeriodsAreComparedLikeRuns) {
  AccessRun run = program.start();
  run.periods = 3;
  program.meet(run, 0, a).periods = {0, 1, 2};
  program.meet(run, 1, a).periods = {0};
  program.meet(run, 2, b).periods = {1, 2};
  const Distributions periods = distributions_of_periods(run, {});
  EXPECT_EQ(periods.runs, 3u);
  EXPECT_EQ(share_at(periods.similarity, 1.0), 0.5);
  EXPECT_EQ(share_at(periods.similarity, 0.5), 1);
}

// Similarity by its definition, set by set.
TEST(StatisticsProperty, SimilarityIsIntersectionByUnion) {
  const LongTail program(4, 60, 0.4);
  const History history = program.train(1, 6);
  std::map<uint64_t, std::vector<std::set<uint64_t>>> sets; // name → set of each run that has it
  for (const auto &[key, run] : history.runs) {
    std::map<uint64_t, std::set<uint64_t>> own;
    for (const RunPair &pair : run.pairs)
      own[pair.name].insert(pair.site);
    for (auto &[name, sites] : own)
      sets[name].push_back(std::move(sites));
  }
  size_t compared = 0;
  size_t alike = 0;
  for (const auto &[name, runs] : sets) {
    if (runs.size() < 2)
      continue;
    ++compared;
    std::set<uint64_t> either;
    std::set<uint64_t> both = runs[0];
    for (const std::set<uint64_t> &sites : runs) {
      either.insert(sites.begin(), sites.end());
      std::erase_if(both, [&](uint64_t site) { return !sites.contains(site); });
    }
    alike += 10 * both.size() >= 9 * either.size() ? 1 : 0;
  }
  EXPECT_DOUBLE_EQ(share_at(distributions(history, {}).similarity, 0.9),
                   static_cast<double>(alike) / static_cast<double>(compared));
}

} // namespace
} // namespace culprit::access
