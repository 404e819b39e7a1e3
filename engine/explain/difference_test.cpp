// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/difference.h"

#include "engine/explain/figures_for_tests.h"
#include "engine/explain/replacement.h"

#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

std::vector<Difference> compare(const Figure &figure) {
  return compare(figure.passing, figure.failing);
}

// The passing run with everything taken over.
Snapshot mutated(const Figure &figure) {
  Snapshot made = figure.passing;
  EXPECT_TRUE(apply_patch(made, make_patch(compare(figure), figure.passing, figure.failing)));
  return made;
}

TEST(Compare, Figure1aAPointerThatMovedOnIsTheOnlyDifference) {
  EXPECT_EQ(compare(figure_1a()), (std::vector<Difference>{{{kP, 0}, 8}}));
}

TEST(Compare, Figure1bAValueInTheSameNodeIsTheOnlyDifference) {
  EXPECT_EQ(compare(figure_1b()), (std::vector<Difference>{{{10, 0}, 4}}));
}

TEST(Compare, Figure2TakingAPointerOverDestroysNothingThatOthersSee) {
  const Figure figure = figure_2();
  ASSERT_EQ(compare(figure), (std::vector<Difference>{{{kP, 0}, 8}}));
  const Snapshot made = mutated(figure);
  EXPECT_EQ(made.place_of(Snapshot::word(*made.find(kP), 0)), (Place{11, 0}));
  for (const uint64_t node : {10, 11, 12, 13})
    EXPECT_EQ(*made.find(node)->bytes, *figure.passing.find(node)->bytes);
}

TEST(Compare, Figure3AliasesLoseNoMutation) {
  const Figure figure = figure_3();
  ASSERT_EQ(compare(figure), (std::vector<Difference>{{{kT, 0}, 8}, {{10, 0}, 4}}));
  const Snapshot made = mutated(figure);
  EXPECT_EQ(made.place_of(Snapshot::word(*made.find(kT), 0)), (Place{11, 0}));
  EXPECT_EQ(value_behind(made, kP), 2);
  EXPECT_EQ(value_behind(made, kT), 1);
}

TEST(Compare, Figure4ARegionThatIsNotThereIsAllocated) {
  const Figure figure = figure_4();
  ASSERT_EQ(compare(figure), (std::vector<Difference>{{{kT, 0}, 8}, {{11, 0}, 4}}));
  const Snapshot made = mutated(figure);
  ASSERT_NE(made.find(12), nullptr);
  EXPECT_EQ(value_behind(made, kP) + value_behind(made, kT), 3);
  EXPECT_EQ(*made.find(10)->bytes, *figure.passing.find(10)->bytes) << "the roots correspond";
}

TEST(Compare, Figure5ValuesThatAreAllShiftedAreFourDifferences) {
  EXPECT_EQ(compare(figure_5()),
            (std::vector<Difference>{{{10, 0}, 4}, {{11, 0}, 4}, {{12, 0}, 4}, {{13, 0}, 4}}));
}

TEST(Compare, TheHalvesOfANumberAreOneDifference) {
  Snapshot passing;
  Snapshot failing;
  passing.add({1, 0x1000, 24, CULPRIT_REGION_BLOCK, 0, "aaaabbbbccccddddeeeeffff"});
  failing.add({1, 0x1000, 24, CULPRIT_REGION_BLOCK, 0, "AAAABBBBCCCCDDDDeeeeFFFF"});
  const auto joined =
      join_halves(compare(passing, failing), [](const Place &place) { return place.offset != 8; });
  EXPECT_EQ(joined,
            (std::vector<Difference>{{{1, 0}, 8}, {{1, 8}, 4}, {{1, 12}, 4}, {{1, 20}, 4}}));
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
