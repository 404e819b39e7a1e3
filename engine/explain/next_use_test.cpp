// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/next_use.h"

#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

culprit_trace_event event(culprit_trace_kind kind, uint64_t region, uint64_t offset,
                          uint16_t size) {
  return {static_cast<uint8_t>(kind), CULPRIT_REGION_GLOBAL, size, 0, region, offset, 0};
}

culprit_trace_event read(uint64_t region, uint64_t offset, uint16_t size) {
  return event(CULPRIT_TRACE_READ, region, offset, size);
}

culprit_trace_event write(uint64_t region, uint64_t offset, uint16_t size) {
  return event(CULPRIT_TRACE_WRITE, region, offset, size);
}

using Order = std::vector<size_t>;

TEST(NextUse, WhatIsReadFirstComesFirst) {
  const std::vector<Difference> differences = {{{1, 0}, 4}, {{1, 4}, 4}, {{2, 0}, 8}};
  const Trace trace = {read(1, 0, 4), read(2, 4, 1), read(1, 4, 4), read(1, 0, 4)};
  EXPECT_EQ(by_next_use(differences, trace, 0), (Order{0, 2, 1}));
  EXPECT_EQ(by_next_use(differences, trace, 1), (Order{2, 1, 0})) << "only what is behind counts";
}

TEST(NextUse, WhatNobodyReadsComesBehindAndWhatIsWrittenOverLast) {
  const std::vector<Difference> differences = {{{1, 0}, 4}, {{1, 4}, 4}, {{2, 0}, 8}, {{3, 0}, 8}};
  const Trace trace = {write(1, 0, 4), read(1, 0, 4), read(3, 0, 8)};
  EXPECT_EQ(by_next_use(differences, trace, 0), (Order{3, 1, 2, 0}));
}

TEST(NextUse, AWriteToAPartLeavesTheRestToBeRead) {
  const std::vector<Difference> differences = {{{1, 0}, 8}};
  EXPECT_EQ(by_next_use(differences, {write(1, 0, 4), read(1, 4, 4)}, 0), (Order{0}));
}

TEST(NextUse, AWholeRegionIsUsedByAnyRead) {
  const std::vector<Difference> differences = {{{2, 0}, 4}, {{1, 0}, 0}};
  const Trace trace = {write(1, 0, 4), read(1, 100, 1), read(2, 0, 4)};
  EXPECT_EQ(by_next_use(differences, trace, 0), (Order{1, 0}));
}

} // namespace
} // namespace culprit::explain
