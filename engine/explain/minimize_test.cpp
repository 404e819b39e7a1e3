// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/minimize.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace culprit::explain {
namespace {

Verdict fails_with(const Subset &subset, const Subset &needed) {
  return std::ranges::includes(subset, needed) ? Verdict::fails : Verdict::passes;
}

// One after the other.
template <typename One> Tests each_by(const One &one) {
  return [&one](const std::vector<Subset> &subsets) {
    std::vector<Verdict> verdicts;
    verdicts.reserve(subsets.size());
    for (const Subset &subset : subsets)
      verdicts.push_back(one(subset));
    return verdicts;
  };
}

TEST(Minimize, FindsExactlyWhatIsNeeded) {
  std::mt19937 random(1);
  for (size_t count = 1; count < 60; ++count) {
    std::set<size_t> drawn;
    for (size_t i = 0; i < 1 + count % 4; ++i)
      drawn.insert(random() % count);
    const Subset needed(drawn.begin(), drawn.end());
    const auto test = [&](const Subset &subset) { return fails_with(subset, needed); };
    EXPECT_EQ(minimize(count, each_by(test)), needed);
  }
}

// Not monotone: 3 and 5 fail together, but not while 4 is there without 6. Then no single one can
// be left out, which is what ddmin promises; nobody promises the smallest set of all.
TEST(Minimize, GetsAlongWithTestsThatSayNothing) {
  const auto test = [](const Subset &subset) {
    const auto has = [&](size_t one) { return std::ranges::binary_search(subset, one); };
    if (has(4) != has(6))
      return Verdict::unresolved;
    return has(3) && has(5) ? Verdict::fails : Verdict::passes;
  };
  const Subset found = minimize(9, each_by(test));
  EXPECT_EQ(test(found), Verdict::fails);
  EXPECT_LE(found.size(), 4U);
  for (const size_t each : found) {
    Subset rest = found;
    std::erase(rest, each);
    EXPECT_NE(test(rest), Verdict::fails) << each;
  }
}

TEST(Minimize, AsksForEachSubsetOnce) {
  std::set<Subset> asked;
  const auto test = [&](const Subset &subset) {
    EXPECT_TRUE(asked.insert(subset).second);
    return fails_with(subset, {3, 17, 30});
  };
  minimize(32, each_by(test));
  EXPECT_LT(asked.size(), 100U);
}

TEST(Minimize, StopsWhenItIsEnoughWithSomethingThatFails) {
  size_t tests = 0;
  const auto test = [&](const Subset &subset) { return ++tests, fails_with(subset, {5, 40}); };
  const Subset found =
      minimize(64, each_by(test), {.width = 1, .enough = [&] { return tests == 8; }});
  EXPECT_EQ(tests, 8U);
  EXPECT_EQ(fails_with(found, {5, 40}), Verdict::fails);
}

TEST(Minimize, ManyAtOnceGiveWhatOneAfterTheOtherGives) {
  for (size_t count = 2; count < 40; ++count) {
    const auto test = [&](const Subset &subset) {
      // Some verdict, always the same for a subset, and never monotone.
      size_t sum = count;
      for (const size_t each : subset)
        sum = sum * 31 + each;
      return subset.size() == count || sum % 3 == 0 ? Verdict::fails
             : sum % 3 == 1                         ? Verdict::passes
                                                    : Verdict::unresolved;
    };
    const Subset alone = minimize(count, each_by(test));
    for (const size_t width : {2, 3, 8})
      EXPECT_EQ(minimize(count, each_by(test), {.width = width}), alone) << count << " " << width;
  }
}

} // namespace
} // namespace culprit::explain
