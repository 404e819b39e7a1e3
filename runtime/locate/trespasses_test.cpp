// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/locate/trespasses.h"

#include "runtime/locate/guards.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

namespace culprit::locate {
namespace {

constexpr Id id_at(uint64_t time) { return time << CULPRIT_ID_TIME_SHIFT | 7; }

class Trespasses : public testing::Test {
protected:
  uintptr_t behind() const { return reinterpret_cast<uintptr_t>(block_) + kSize; }
  static constexpr size_t kSize = 32;
  void *block_ = std::malloc(kSize);
};

TEST_F(Trespasses, WhoCopiedBesideABlockFirstIsToldThoughOthersDidLater) {
  const Block block = find_block(behind() - 1);
  ASSERT_NE(block.row, nullptr);
  note_trespass(behind(), id_at(30));
  note_trespass(behind(), id_at(40));
  std::memset(reinterpret_cast<void *>(behind()), 1, 4);
  *cell_of(behind()) = id_at(50);
  EXPECT_EQ(check_guards(block).written, id_at(30));
  *cell_of(behind()) = id_at(20); // before anybody went astray
  EXPECT_EQ(check_guards(block).written, id_at(20));
  *cell_of(behind()) = 0;
  std::memset(reinterpret_cast<void *>(behind()), kGuard, 4);
  std::free(block_);
}

TEST_F(Trespasses, WhatIsNotWrittenOrBesideNoBlockIsNotNoted) {
  note_trespass(behind(), CULPRIT_ID_CORRUPT | id_at(30));
  EXPECT_EQ(first_trespass(behind(), id_at(50)), id_at(50));
  int local = 0;
  const auto at = reinterpret_cast<uintptr_t>(&local);
  note_trespass(at, id_at(30));
  EXPECT_EQ(first_trespass(at, id_at(50)), id_at(50));
  std::free(block_);
}

} // namespace
} // namespace culprit::locate
