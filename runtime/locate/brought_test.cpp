// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/locate/brought.h"

#include "abi/run_file.h"
#include "runtime/locate/stack_record.h"

#include <gtest/gtest.h>

#include <vector>

namespace culprit::locate {
namespace {

std::vector<culprit_record_brought> g_seen;

class Brought : public testing::Test {
protected:
  void SetUp() override {
    g_seen.clear();
    g_stack_record_observer = [](culprit_record_kind kind, const void *record) {
      if (kind == CULPRIT_RECORD_brought)
        g_seen.push_back(*static_cast<const culprit_record_brought *>(record));
    };
  }
  void TearDown() override {
    g_stack_record_observer = nullptr;
    watch(0);
  }
};

constexpr uintptr_t kPointer = 0x280001000118;

TEST_F(Brought, NobodyIsWatchedAtFirst) {
  note_brought(0, ~size_t{0});
  EXPECT_TRUE(g_seen.empty());
}

TEST_F(Brought, WhatTouchesEitherHalfOfThePointerIsTold) {
  watch(kPointer);
  note_brought(kPointer - 4, 4);
  note_brought(kPointer + 8, 4);
  EXPECT_TRUE(g_seen.empty());
  note_brought(kPointer, 4);
  note_brought(kPointer + 4, 4);
  note_brought(kPointer - 24, 32);
  ASSERT_EQ(g_seen.size(), 3u);
  EXPECT_EQ(g_seen[0].address, kPointer & CULPRIT_SHADOW_MASK);
  EXPECT_GT(g_seen[2].frames, 0u);
}

TEST_F(Brought, AnAddressIsKnownAsFarAsTheShadowKnowsIt) {
  watch(kPointer & CULPRIT_SHADOW_MASK);
  EXPECT_TRUE(covers_watched(kPointer, 8));
  EXPECT_FALSE(covers_watched(kPointer + 8, 8));
}

} // namespace
} // namespace culprit::locate
