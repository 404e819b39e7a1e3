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

TEST(Minimize, FindsExactlyWhatIsNeeded) {
  std::mt19937 random(1);
  for (size_t count = 1; count < 60; ++count) {
    std::set<size_t> drawn;
    for (size_t i = 0; i < 1 + count % 4; ++i)
      drawn.insert(random() % count);
    const Subset needed(drawn.begin(), drawn.end());
    EXPECT_EQ(minimize(count, [&](const Subset &subset) { return fails_with(subset, needed); }),
              needed);
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
  const Subset found = minimize(9, test);
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
  minimize(32, [&](const Subset &subset) {
    EXPECT_TRUE(asked.insert(subset).second);
    return fails_with(subset, {3, 17, 30});
  });
  EXPECT_LT(asked.size(), 100U);
}

TEST(Minimize, StopsWhenItIsEnoughWithSomethingThatFails) {
  size_t tests = 0;
  const Subset found = minimize(
      64, [&](const Subset &subset) { return ++tests, fails_with(subset, {5, 40}); },
      [&] { return tests == 8; });
  EXPECT_EQ(tests, 8U);
  EXPECT_EQ(fails_with(found, {5, 40}), Verdict::fails);
}

} // namespace
} // namespace culprit::explain
