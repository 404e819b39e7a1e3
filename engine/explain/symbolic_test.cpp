// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What alignment by symbolic paths makes of the paper's figures: differences that are none,
// mutations that destroy what other paths see, mutations that are lost.
#include "engine/explain/symbolic.h"

#include "engine/explain/figures_for_tests.h"

#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

const Tables kTables{.unit = 0, .sites = {}, .names = {}};

std::vector<PathDifference> compare(const Figure &figure) {
  return compare_by_path({figure.passing, kTables}, {figure.failing, kTables});
}

Snapshot mutated(const Figure &figure, const std::vector<PathDifference> &differences) {
  Snapshot made = figure.passing;
  EXPECT_TRUE(apply_patch(made, make_patch(differences, figure.passing, figure.failing)));
  return made;
}

std::vector<Place> places(const std::vector<PathDifference> &differences) {
  std::vector<Place> all;
  all.reserve(differences.size());
  for (const PathDifference &each : differences)
    all.push_back(each.at.at);
  return all;
}

TEST(ByPath, Figure1aOnePointerThatMovedOnIsEveryValueBehindIt) {
  const auto found = compare(figure_1a());
  EXPECT_EQ(places(found), (std::vector<Place>{{10, 0}, {11, 0}, {11, 8}}));
  EXPECT_EQ(found[0].path, "(temporary)->(0)");
  EXPECT_EQ(found[1].path, "(temporary)->(8)->(0)");
}

TEST(ByPath, APointerToTheRoomBehindABlockLeadsToNothingThatDiffers) {
  Figure figure = figure_1a();
  for (Snapshot *each : {&figure.passing, &figure.failing}) {
    Region block = region(99, 0x700000, 24);
    block.room = 64;
    each->add(block);
    Region pointer = region(98, 0x600000, 8, CULPRIT_REGION_GLOBAL);
    put_word(pointer, 0, 0x700000 + 31);
    each->add(pointer);
  }
  EXPECT_EQ(places(compare(figure)), places(compare(figure_1a())));
}

TEST(ByPath, Figure1bAValueIsFoundWherePointersAreTheSame) {
  const Figure figure = figure_1b();
  const auto found = compare(figure);
  ASSERT_EQ(places(found), (std::vector<Place>{{10, 0}}));
  EXPECT_FALSE(found[0].aliased);
  const NamedValue named = found[0].describe(figure.passing, figure.failing);
  EXPECT_EQ(named.passing, "1");
  EXPECT_EQ(named.failing, "5");
}

TEST(ByPath, Figure2WhatIsTakenOverAlongOnePathIsDestroyedAlongTheOther) {
  const Figure figure = figure_2();
  const auto found = compare(figure);
  EXPECT_EQ(count(found).differences, 4U);
  EXPECT_TRUE(found[0].aliased);
  const Snapshot made = mutated(figure, found);
  EXPECT_EQ(value_behind(made, kP), value_behind(figure.failing, kP));
  EXPECT_NE(value_behind(made, kT), value_behind(figure.failing, kT)) << "destroyed";
}

TEST(ByPath, Figure3OfTwoMutationsOfOnePlaceOneIsLost) {
  const Figure figure = figure_3();
  const auto found = compare(figure);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(count(found).differences, 1U);
  EXPECT_EQ(count(found).aliases, 1U);
  const Snapshot made = mutated(figure, found);
  EXPECT_NE(value_behind(made, kP) + value_behind(made, kT),
            value_behind(figure.failing, kP) + value_behind(figure.failing, kT))
      << "the failure is not there";
}

TEST(ByPath, Figure4NothingIsAllocatedAndTheFailureIsNotThere) {
  const Figure figure = figure_4();
  const Snapshot made = mutated(figure, compare(figure));
  EXPECT_EQ(made.find(12), nullptr);
  EXPECT_NE(value_behind(made, kP) + value_behind(made, kT), 3);
}

TEST(ByPath, Figure5NoAliasNoHarm) {
  const Figure figure = figure_5();
  const auto found = compare(figure);
  EXPECT_EQ(count(found).differences, 4U);
  EXPECT_EQ(count(found).aliases, 0U);
  const Snapshot made = mutated(figure, found);
  EXPECT_TRUE(compare({made, figure.failing}).empty());
}

TEST(ByPath, AListThatGoesInACircleEnds) {
  const std::vector<Node> list = {{10, 1, 11}, {11, 2, 10}};
  const Figure figure{memory({{kP, 10}}, list, 0x20000), memory({{kP, 11}}, list, 0x80000)};
  EXPECT_EQ(count(compare(figure)).differences, 2U);
}

} // namespace
} // namespace culprit::explain
