// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/access/variables.h"

#include "runtime/access/exact.h"
#include "runtime/access/unit_for_tests.h"

#include <gtest/gtest.h>

namespace culprit::access {
namespace {

alignas(16) char g_memory[64];

culprit_variable at(size_t offset, uint64_t size) {
  return {g_memory + offset, size, nullptr, 0, 0, 0, 0, nullptr};
}

Name name_at_offset(size_t offset) { return name_of_byte(number(g_memory + offset)); }

TEST(Gaps, WhatLiesBehindAGlobalHasANameUpToTheNextOne) {
  static TestUnit unit(0x6a95, {8}, 8, {0}, true);
  unit.add_globals({at(0, 8), at(12, 4), at(8, CULPRIT_GLOBAL_GAP), at(16, CULPRIT_GLOBAL_GAP)}, 2);
  unit.enter();
  EXPECT_NE(name_at_offset(8), 0u);
  EXPECT_NE(name_at_offset(8), name_at_offset(7));
  EXPECT_EQ(name_at_offset(11), name_at_offset(8));
  EXPECT_NE(name_at_offset(12), name_at_offset(8));
  EXPECT_NE(name_at_offset(16), 0u);
  EXPECT_EQ(name_at_offset(31), name_at_offset(16));
  EXPECT_EQ(name_at_offset(32), 0u);
}

alignas(16) char g_aligned[96];

TEST(Gaps, WhatAlignmentLeavesInFrontOfAGlobalIsMemoryOfNoObject) {
  const auto aligned = [](size_t offset, uint64_t size) {
    return culprit_variable{g_aligned + offset, size, nullptr, 0, 0, 0, 0, nullptr};
  };
  const auto name_at = [](size_t offset) { return name_of_byte(number(g_aligned + offset)); };
  static TestUnit unit(0x6a96, {8}, 8, {0}, false);
  unit.add_globals({aligned(0, 8), aligned(16, 16), aligned(80, 16)}, 0);
  unit.enter();
  EXPECT_NE(name_at(7), name_at(8));
  EXPECT_EQ(name_at(8), name_of_fresh_memory());
  EXPECT_EQ(name_at(15), name_of_fresh_memory());
  EXPECT_NE(name_at(16), name_of_fresh_memory());
  EXPECT_EQ(name_at(79 - CULPRIT_GLOBAL_GAP), 0u) << "no padding is that wide";
  EXPECT_EQ(name_at(80 - CULPRIT_GLOBAL_GAP), name_of_fresh_memory());
}

} // namespace
} // namespace culprit::access
