// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/difference.h"

#include "engine/explain/replacement.h"
#include "engine/explain/simulated.h"

#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

// A list of nodes {int val; node *next}: node i has index 10 + i.
struct Node {
  uint64_t index;
  int val;
  uint64_t next; // index; 0: none
};

Snapshot memory(const std::vector<std::pair<uint64_t, uint64_t>> &variables,
                const std::vector<Node> &nodes, uint64_t base) {
  std::unordered_map<uint64_t, uint64_t> address = {{0, 0}};
  for (const Node &node : nodes)
    address[node.index] = base += 32;
  Snapshot snapshot;
  for (const auto &[name, to] : variables) {
    Region region = explain::region(name, 0x1000 + name * 8, 8, CULPRIT_REGION_GLOBAL);
    put_word(region, 0, address.at(to));
    snapshot.add(region);
  }
  for (const Node &node : nodes) {
    Region region = explain::region(node.index, address.at(node.index), 16);
    put(region, 0, &node.val, sizeof node.val);
    put_word(region, 8, address.at(node.next));
    snapshot.add(region);
  }
  return snapshot;
}

constexpr uint64_t kP = 1;
constexpr uint64_t kT = 2;

// Figure 1 (a): both lists are the same, only p has moved on. By reference paths p->val and
// p->next->val would differ; by index p alone does.
TEST(Compare, APointerThatMovedOnIsTheOnlyDifference) {
  const std::vector<Node> list = {{10, 1, 11}, {11, 2, 12}, {12, 3, 0}};
  EXPECT_EQ(compare(memory({{kP, 10}}, list, 0x20000), memory({{kP, 11}}, list, 0x80000)),
            (std::vector<Difference>{{{kP, 0}, 8}}));
}

// Figure 1 (b): p is the same, the value in its node is not.
TEST(Compare, AValueInTheSameNodeIsTheOnlyDifference) {
  EXPECT_EQ(compare(memory({{kP, 10}}, {{10, 1, 11}, {11, 2, 0}}, 0x20000),
                    memory({{kP, 10}}, {{10, 5, 11}, {11, 2, 0}}, 0x80000)),
            (std::vector<Difference>{{{10, 0}, 4}}));
}

// Figure 2: p points to the first node in one run and to the second in the other, t to the first.
// Taking p over must leave what t sees as it is.
TEST(Compare, TakingAPointerOverDestroysNothingThatOthersSee) {
  const std::vector<Node> list = {{10, 1, 11}, {11, 2, 12}, {12, 3, 13}, {13, 4, 0}};
  const Snapshot passing = memory({{kP, 10}, {kT, 10}}, list, 0x20000);
  const Snapshot failing = memory({{kP, 11}, {kT, 10}}, list, 0x80000);
  const std::vector<Difference> differences = compare(passing, failing);
  ASSERT_EQ(differences, (std::vector<Difference>{{{kP, 0}, 8}}));
  Snapshot mutated = passing;
  ASSERT_TRUE(apply_patch(mutated, make_patch(differences, passing, failing)));
  EXPECT_EQ(mutated.place_of(Snapshot::word(*mutated.find(kP), 0)), (Place{11, 0}));
  for (const Node &node : list)
    EXPECT_EQ(*mutated.find(node.index)->bytes, *passing.find(node.index)->bytes);
}

// Figure 3: p and t are aliases in one run; in the other t points to a node that only this run has,
// and the node of p has another value. Both differences are there after both are taken over.
TEST(Compare, AliasesLoseNoMutation) {
  const Snapshot passing = memory({{kP, 10}, {kT, 10}}, {{10, 0, 0}}, 0x20000);
  const Snapshot failing = memory({{kP, 10}, {kT, 11}}, {{10, 2, 0}, {11, 1, 0}}, 0x80000);
  const std::vector<Difference> differences = compare(passing, failing);
  ASSERT_EQ(differences, (std::vector<Difference>{{{kT, 0}, 8}, {{10, 0}, 4}}));
  Snapshot mutated = passing;
  ASSERT_TRUE(apply_patch(mutated, make_patch(differences, passing, failing)));
  EXPECT_EQ(mutated.place_of(Snapshot::word(*mutated.find(kT), 0)), (Place{11, 0}));
  EXPECT_EQ(Snapshot::word(*mutated.find(10), 0), 2U);
  EXPECT_EQ(Snapshot::word(*mutated.find(11), 0), 1U);
}

// Figure 5: every node's value is one more. Graph matching would shift the list; by index four
// values differ.
TEST(Compare, ValuesThatAreAllShiftedAreFourDifferences) {
  const auto list = [](int from) {
    return std::vector<Node>{
        {10, from, 11}, {11, from + 1, 12}, {12, from + 2, 13}, {13, from + 3, 0}};
  };
  EXPECT_EQ(compare(memory({{kP, 10}}, list(1), 0x20000), memory({{kP, 10}}, list(2), 0x80000)),
            (std::vector<Difference>{{{10, 0}, 4}, {{11, 0}, 4}, {{12, 0}, 4}, {{13, 0}, 4}}));
}

TEST(Compare, TheRestBehindTheLastWordIsCompared) {
  Snapshot passing;
  Snapshot failing;
  passing.add({1, 0x1000, 11, CULPRIT_REGION_GLOBAL, 0, "abcdefghijk"});
  failing.add({1, 0x1000, 11, CULPRIT_REGION_GLOBAL, 0, "abcdefghijX"});
  EXPECT_EQ(compare(passing, failing), (std::vector<Difference>{{{1, 8}, 3}}));
}

} // namespace
} // namespace culprit::explain
