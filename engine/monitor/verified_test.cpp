// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/verified.h"

#include <gtest/gtest.h>

namespace culprit::monitor {
namespace {

heap::HeapRun run_with(uint32_t threads, uint64_t mismatches) {
  heap::HeapRun run;
  run::Verify record{};
  record.numbers = {.index = 7,
                    .threads = threads,
                    .vertexes = 10,
                    .mismatches = mismatches,
                    .address = 0x40,
                    .graph_in = 1,
                    .graph_out = 2,
                    .scan_in = 3,
                    .scan_out = 4};
  run.verified = {record};
  return run;
}

TEST(Verified, AMismatchIsCountedAndDescribed) {
  const Verified sum = count_verified(run_with(1, 2));
  EXPECT_EQ(sum.points, 1);
  EXPECT_EQ(sum.vertexes, 10);
  EXPECT_EQ(sum.mismatches, 2);
  EXPECT_EQ(sum.first, "metric point 7: the object at 0x40 has indegree 1 and outdegree 2 in the "
                       "graph, 3 and 4 in the scan");
}

TEST(Verified, APointWithOtherThreadsRunningProvesNothing) {
  const Verified sum = count_verified(run_with(8, 2));
  EXPECT_EQ(sum.points, 0);
  EXPECT_EQ(sum.mismatches, 0);
  EXPECT_EQ(sum.concurrent, 1);
}

TEST(Verified, SumsKeepTheFirstMismatch) {
  Verified sum = count_verified(run_with(1, 0));
  sum.add(count_verified(run_with(1, 3)));
  EXPECT_EQ(sum.points, 2);
  EXPECT_EQ(sum.mismatches, 3);
  EXPECT_FALSE(sum.first.empty());
}

} // namespace
} // namespace culprit::monitor
