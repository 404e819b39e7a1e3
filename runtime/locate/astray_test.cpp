// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/locate/astray.h"

#include "abi/run_file.h"
#include "runtime/locate/stack_record.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace culprit::locate {
namespace {

std::vector<culprit_record_astray> g_seen;

class Astray : public testing::Test {
protected:
  void SetUp() override {
    g_seen.clear();
    g_stack_record_observer = [](culprit_record_kind kind, const void *record) {
      if (kind == CULPRIT_RECORD_astray)
        g_seen.push_back(*static_cast<const culprit_record_astray *>(record));
    };
  }
  void TearDown() override {
    g_stack_record_observer = nullptr;
    std::free(block_);
  }
  uintptr_t at(size_t offset) const { return reinterpret_cast<uintptr_t>(block_) + offset; }

  void *block_ = std::malloc(24);
};

TEST_F(Astray, ACopyThatFitsIsNotTold) {
  note_astray(at(16), 8, CULPRIT_ID_CORRUPT | 101);
  EXPECT_TRUE(g_seen.empty());
}

TEST_F(Astray, ACopyPastTheEndOfABlockIsToldOnceForEachId) {
  note_astray(at(20), 8, CULPRIT_ID_CORRUPT | 102);
  note_astray(at(22), 8, CULPRIT_ID_CORRUPT | 102);
  note_astray(at(20), 8, CULPRIT_ID_CORRUPT | 103);
  ASSERT_EQ(g_seen.size(), 2u);
  EXPECT_EQ(g_seen[0].id, 102u); // that it is corrupt goes without saying
  EXPECT_EQ(g_seen[0].address, at(20));
  EXPECT_GT(g_seen[0].frames, 0u);
  EXPECT_EQ(g_seen[1].id, 103u);
}

TEST_F(Astray, WhatLeavesItsMemberIsToldThoughTheBlockHasRoomForIt) {
  note_astray(at(0), 8, CULPRIT_ID_CORRUPT | 105, 8);
  EXPECT_TRUE(g_seen.empty());
  note_astray(at(0), 9, CULPRIT_ID_CORRUPT | 105, 8);
  ASSERT_EQ(g_seen.size(), 1u);
  EXPECT_EQ(g_seen[0].id, 105u);
}

TEST_F(Astray, WhereNoObjectIsKnownNothingGoesAstray) {
  int local = 0;
  note_astray(reinterpret_cast<uintptr_t>(&local), 4096, CULPRIT_ID_CORRUPT | 104);
  EXPECT_TRUE(g_seen.empty());
}

} // namespace
} // namespace culprit::locate
