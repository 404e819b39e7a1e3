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

} // namespace
} // namespace culprit::access
