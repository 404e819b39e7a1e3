// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When points are due. (graph_test.cpp makes this binary a monitor flavour; each test runs in a
// process of its own, whose work so far is what starting it took.)
#include "runtime/monitor/pacing.h"

#include "runtime/monitor/cards.h"
#include "runtime/monitor/graph.h"
#include "runtime/monitor/hooks_for_tests.h"

#include <gtest/gtest.h>

namespace culprit::monitor {
namespace {

// As if functions had been entered.
void do_work(uint64_t units) {
  for (uint64_t end = work_totals().work + units; work_totals().work < end;) {
    __culprit_countdown = -1;
    settle();
  }
}

uint64_t work_until_due() {
  uint64_t before = work_totals().work;
  do
    __culprit_countdown = -1;
  while (!settle());
  return work_totals().work - before;
}

UpdateCost cost_of_births(uint64_t born) {
  UpdateCost cost{};
  cost.born = born;
  return cost;
}

TEST(Pacing, ADebtIsWorkedOff) {
  do_work(1'000'000);
  point_was_made({});
  EXPECT_FALSE(is_in_debt());
  point_was_made(cost_of_births(10'000'000));
  EXPECT_TRUE(is_in_debt());
  do_work(4'000'000'000);
  EXPECT_FALSE(is_in_debt());
}

TEST(Pacing, APointIsDueThoughItCostsTooMuch) {
  do_work(1'000'000);
  point_was_made(cost_of_births(700'000)); // what may be spent, about
  uint64_t work = work_totals().work;
  __atomic_store_n(&g_pending_cards, 1u << 30, __ATOMIC_RELAXED);
  uint64_t waited = work_until_due();
  EXPECT_GE(waited, 3 * work - work / 8);
  EXPECT_LE(waited, 4 * work);
}

TEST(Pacing, InDebtItIsDueLater) {
  do_work(1'000'000);
  point_was_made(cost_of_births(100'000'000));
  uint64_t work = work_totals().work;
  EXPECT_GT(work_until_due(), 12 * work);
}

} // namespace
} // namespace culprit::monitor
