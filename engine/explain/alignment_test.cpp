// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/alignment.h"

#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

culprit_trace_event point(uint64_t index) { return {CULPRIT_TRACE_POINT, 0, 0, 1, index, 0, 0}; }
culprit_trace_event write(culprit_region_kind kind, uint64_t region, uint64_t address) {
  return {CULPRIT_TRACE_WRITE, static_cast<uint8_t>(kind), 4, 0, region, 0, address};
}

// Figure 7: one run takes the true branch of 5, the other the false one; 10 and 11 correspond.
TEST(Align, PointsBehindABranchCorrespondWhateverItDid) {
  const Trace passing = {point(4), point(5), point(6), point(7), point(10), point(11)};
  const Trace failing = {point(4), point(5), point(9), point(10), point(11)};
  const Alignment alignment = align(passing, failing);
  EXPECT_EQ(alignment.points, (std::vector<Alignment::Pair>{{0, 0}, {1, 1}, {4, 3}, {5, 4}}));
  EXPECT_EQ(alignment.common, 2U);
  EXPECT_DOUBLE_EQ(alignment.control_flow.value(), 8.0 / 11);
}

TEST(Align, EqualRunsHaveNoDivergence) {
  const Trace trace = {point(1), write(CULPRIT_REGION_LOCAL, 7, 0x10), point(2)};
  const Alignment alignment = align(trace, trace);
  EXPECT_EQ(alignment.common, 2U);
  EXPECT_DOUBLE_EQ(alignment.control_flow.value(), 1);
  EXPECT_DOUBLE_EQ(alignment.stack_by_address.value(), 1);
}

TEST(Align, AccessesAreComparedByIndexAndByAddress) {
  const Trace a = {point(1), write(CULPRIT_REGION_BLOCK, 7, 0x10),
                   write(CULPRIT_REGION_LOCAL, 8, 0x20), point(2),
                   write(CULPRIT_REGION_BLOCK, 9, 0x30)};
  const Trace b = {point(1), write(CULPRIT_REGION_BLOCK, 7, 0x50),
                   write(CULPRIT_REGION_LOCAL, 8, 0x20), point(3),
                   write(CULPRIT_REGION_BLOCK, 9, 0x30)};
  const Alignment alignment = align(a, b);
  EXPECT_EQ(alignment.heap_by_index.whole, 1U); // points 2 and 3 do not correspond
  EXPECT_EQ(alignment.heap_by_index.part, 1U);
  EXPECT_EQ(alignment.heap_by_address.part, 0U);
  EXPECT_EQ(alignment.stack_by_index.part, 1U);
  EXPECT_EQ(alignment.stack_by_address.part, 1U);
}

TEST(Align, APairThatWouldGoBackIsLeftOut) {
  const Trace a = {point(1), point(2), point(3)};
  const Trace b = {point(2), point(1), point(3)};
  EXPECT_EQ(align(a, b).points, (std::vector<Alignment::Pair>{{0, 1}, {2, 2}}));
  EXPECT_EQ(align(a, b).common, 0U);
}

} // namespace
} // namespace culprit::explain
