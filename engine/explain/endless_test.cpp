// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/endless.h"

#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

culprit_trace_event at(uint32_t site) { return {CULPRIT_TRACE_POINT, 0, 0, site, 0, 0, 0}; }
culprit_trace_event write() { return {CULPRIT_TRACE_WRITE, 0, 0, 0, 0, 0, 0}; }

Tables three_sites() {
  Tables tables;
  tables.sites = {{.id = 30}, {.id = 20}, {.id = 10}};
  return tables;
}

TEST(Endless, TheStatementsOfTheLastFifthAreWhereItGoesRound) {
  const Trace trace{at(1), at(1), at(1), at(1), at(1), at(1), at(1), at(1), at(2), at(3)};
  EXPECT_EQ(statements_at_end(trace, three_sites()), (std::vector<uint64_t>{10, 20}));
}

TEST(Endless, TheLastStatementCountsHoweverShortTheTraceIs) {
  const Trace trace{at(2), at(1), write()};
  EXPECT_EQ(statements_at_end(trace, three_sites()), (std::vector<uint64_t>{30}));
  EXPECT_TRUE(statements_at_end(Trace(), three_sites()).empty());
}

TEST(Endless, MoreIsLookedAtThanTheOtherRunHas) {
  EXPECT_GT(events_of_endless(0), 0U);
  EXPECT_GE(events_of_endless(100'000'000), 200'000'000U);
}

} // namespace
} // namespace culprit::explain
