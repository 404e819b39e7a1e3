// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/replacement.h"

#include "engine/explain/simulated.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace culprit::explain {
namespace {

using Random = std::mt19937;

size_t below(Random &random, size_t bound) {
  return std::uniform_int_distribution<size_t>(0, bound - 1)(random);
}

// Regions 1 … of which each run has most, at places of its own, filled with small numbers, text and
// pointers into each other, some of them into the midst; and some open files.
Snapshot random_memory(Random &random, uint64_t base) {
  Snapshot snapshot;
  std::vector<uint64_t> order;
  for (uint64_t index = 1; index <= 24; ++index)
    if (index <= 6 || below(random, 4) != 0) // variables are always there
      order.push_back(index);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<Region> made;
  for (const uint64_t index : order) {
    const uint64_t usual = 4 + index * 5 % 61;
    // Some blocks have another size in each run, and room for the larger one.
    const uint64_t size = index > 6 && index % 3 == 0 ? usual + below(random, 3) * 8 : usual;
    made.push_back(
        region(index, base, size, index <= 6 ? CULPRIT_REGION_GLOBAL : CULPRIT_REGION_BLOCK));
    made.back().room = index <= 6 ? 0 : usual + 16;
    base += (usual + 48) / 16 * 16;
  }
  for (Region &each : made) {
    for (uint64_t at = 0; at < each.size; ++at)
      if (below(random, 3) == 0)
        (*each.bytes)[at] = static_cast<char>(below(random, 3));
    for (uint64_t at = 0; at + 8 <= each.size; at += 8)
      if (below(random, 2) == 0) {
        const Region &to = made[below(random, made.size())];
        put_word(each, at, to.address + below(random, to.size));
      }
  }
  for (Region &each : made)
    snapshot.add(std::move(each));
  for (uint32_t descriptor : {0U, 3U, 4U, 5U})
    if (below(random, 3) != 0)
      snapshot.add(open_region(descriptor, below(random, 2), std::string(1 + below(random, 2), 'x'),
                               static_cast<uint32_t>(below(random, 2))));
  return snapshot;
}

// The paper's Definition 1.
TEST(Replacement, ApplyingSomeDifferencesLeavesExactlyTheOthers) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const Snapshot passing = random_memory(random, 0x100000);
    const Snapshot failing = random_memory(random, 0x500000);
    // Some words are numbers.
    const auto is_number = [&](const Place &place) {
      return (place.region + place.offset / 8) % 2 == seed % 2;
    };
    const std::vector<Difference> universe = join_halves(compare(passing, failing), is_number);
    std::vector<Difference> chosen;
    std::vector<Difference> others;
    for (const Difference &each : universe) {
      ASSERT_TRUE(is_replaceable(each, passing, failing));
      (below(random, 2) == 0 ? chosen : others).push_back(each);
    }
    Snapshot mutated = passing;
    ASSERT_TRUE(apply_patch(mutated, make_patch(chosen, passing, failing))) << "seed " << seed;
    // Regions that were copied come last in the order of regions, and have no difference.
    EXPECT_EQ(join_halves(compare(mutated, failing), is_number), others) << "seed " << seed;
  }
}

TEST(Replacement, ApplyingAllMakesEveryRegionThatCanBeReachedEqual) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Snapshot passing = random_memory(random, 0x100000);
    const Snapshot failing = random_memory(random, 0x500000);
    Snapshot mutated = passing;
    const std::vector<Difference> universe = compare(passing, failing);
    ASSERT_TRUE(apply_patch(mutated, make_patch(universe, passing, failing)));
    EXPECT_TRUE(compare(mutated, failing).empty()) << "seed " << seed;
  }
}

// A block that is larger there than it can become here, and a pointer to what it has more.
TEST(Replacement, WhatNeedsMoreRoomThanThereIsIsNotReplaceable) {
  Snapshot passing;
  Snapshot failing;
  Region variable = region(1, 0x1000, 8, CULPRIT_REGION_GLOBAL);
  passing.add(variable);
  put_word(variable, 0, 0x2000 + 30);
  failing.add(variable);
  Region large = region(2, 0x2000, 32);
  large.room = 32;
  failing.add(large);
  Region small = region(2, 0x7000, 16);
  small.room = 31;
  passing.add(small);
  const std::vector<Difference> differences = compare(passing, failing);
  ASSERT_EQ(differences, (std::vector<Difference>{{{1, 0}, 8}, {{2, 0}, 0}}));
  EXPECT_TRUE(is_replaceable(differences[0], passing, failing));
  EXPECT_FALSE(is_replaceable(differences[1], passing, failing));
  passing.find(2)->room = 32;
  EXPECT_TRUE(is_replaceable(differences[1], passing, failing));
  passing.find(2)->room = 29;
  EXPECT_FALSE(is_replaceable(differences[0], passing, failing));
}

// A pointer that goes into a block of the C library's, which the other run does not have.
TEST(Replacement, WhatLeadsToMemoryOfTheLibraryIsNotReplaceable) {
  Snapshot passing;
  Snapshot failing;
  Region variable = region(1, 0x1000, 8, CULPRIT_REGION_GLOBAL);
  passing.add(variable);
  put_word(variable, 0, 0x2000);
  failing.add(variable);
  Region block = region(2, 0x2000, 16);
  put_word(block, 8, 0x3000);
  failing.add(block);
  failing.add({3, 0x3000, 64, CULPRIT_REGION_NATIVE, 0, std::nullopt});
  const std::vector<Difference> differences = compare(passing, failing);
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_FALSE(is_replaceable(differences[0], passing, failing));
  passing.add({3, 0x7000, 64, CULPRIT_REGION_NATIVE, 0, std::nullopt});
  EXPECT_TRUE(is_replaceable(differences[0], passing, failing));
}

} // namespace
} // namespace culprit::explain
