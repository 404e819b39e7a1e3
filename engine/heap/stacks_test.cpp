// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call stacks kept while a metric moved.
#include "engine/heap/blame.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace culprit::heap {
namespace {

TEST(Stacks, AreFoldedByFrequencyBeforeDuringAndAfter) {
  HeapRun run;
  Finding finding;
  finding.metric = find_metric("indegree1");
  finding.high = true;
  const auto add = [&](uint16_t when, std::vector<uint64_t> addresses, uint16_t metric, bool high) {
    run.stacks.push_back({1, metric, when, high, std::move(addresses)});
  };
  for (int i = 0; i < 9; ++i)
    add(CULPRIT_STACK_BEFORE, {1, 2, 3}, CULPRIT_METRIC_INDEGREE1, true);
  add(CULPRIT_STACK_BEFORE, {4, 3}, CULPRIT_METRIC_INDEGREE1, true);
  add(CULPRIT_STACK_CROSSED, {1, 2, 3}, CULPRIT_METRIC_INDEGREE1, true);
  add(CULPRIT_STACK_AFTER, {5, 3}, CULPRIT_METRIC_INDEGREE1, true);
  add(CULPRIT_STACK_BEFORE, {9}, CULPRIT_METRIC_LEAVES, false); // of another metric
  const std::vector<std::string> names = {"", "insert", "load", "main", "resize", "clear"};
  size_t asked = 0;
  const FoldedStacks folded = fold_stacks(run, finding, [&](uint64_t address) {
    ++asked;
    return std::vector<std::string>{names.at(address)};
  });
  EXPECT_EQ(asked, 5u);
  ASSERT_EQ(folded.before.size(), 2u);
  EXPECT_EQ(folded.before[0].frames, (std::vector<std::string>{"insert", "load", "main"}));
  EXPECT_DOUBLE_EQ(folded.before[0].share, 0.9);
  EXPECT_EQ(folded.during.size(), 1u);
  EXPECT_EQ(folded.after.size(), 1u);
  Blame blame;
  add_stack_suspects(blame, folded);
  ASSERT_FALSE(blame.suspects.empty());
  EXPECT_EQ(blame.suspects[0].place.function, "insert");
  EXPECT_TRUE(std::ranges::none_of(blame.suspects,
                                   [](const Suspect &s) { return s.place.function == "main"; }));
}

} // namespace
} // namespace culprit::heap
