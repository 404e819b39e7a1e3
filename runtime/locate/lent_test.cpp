// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What unseen code has written through an address that it was given.
#include "runtime/locate/lent.h"

#include "abi/locate.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/values.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

constexpr Id kMade = CULPRIT_TICK * 5 | 3;
constexpr Id kBefore = CULPRIT_TICK * 6 | 4;
constexpr Id kCall = CULPRIT_TICK * 7 | 5;

uintptr_t number(const void *address) { return reinterpret_cast<uintptr_t>(address); }

struct Lent : testing::Test {
  Lent() {
    __culprit_allocation_id = kMade;
    block = static_cast<unsigned char *>(std::malloc(32));
  }
  ~Lent() override { std::free(block); }
  unsigned char *block;
  unsigned char copy[CULPRIT_LENT_BYTES] = {};
};

TEST_F(Lent, CellsThatHaveChangedWereWrittenByTheCall) {
  ASSERT_EQ(lend(number(block) + 4, 10, copy), 10U);
  block[8] ^= 1;
  block[13] ^= 1;
  block[14] ^= 1; // not lent
  take_back(number(block) + 4, 10, copy, kCall);
  EXPECT_EQ(*cell_of(number(block) + 4), kMade);
  EXPECT_EQ(*cell_of(number(block) + 8), kCall);
  EXPECT_EQ(*cell_of(number(block) + 12), kCall);
  EXPECT_EQ(*cell_of(number(block) + 16), kMade);
}

TEST_F(Lent, WhereNothingCanBeReadNothingIs) {
  EXPECT_EQ(lend(8, 8, copy), 0U);
  EXPECT_EQ(lend(number(block) + 28, 8, copy), 0U); // behind its end
  EXPECT_EQ(lend(number(block), CULPRIT_LENT_BYTES + 1, copy), 0U);
}

TEST_F(Lent, ACallThatIsLeftOutIsToBlameForWhatNobodyElseHasWritten) {
  define(number(block) + 4, 4, kBefore);
  keep_back(number(block), 8, kCall | CULPRIT_ID_CORRUPT);
  EXPECT_EQ(*cell_of(number(block)), kCall | CULPRIT_ID_CORRUPT);
  EXPECT_EQ(*cell_of(number(block) + 4), kBefore);
  keep_back(8, 8, kCall | CULPRIT_ID_CORRUPT); // no memory
  define(number(block), 4, kBefore);
}

} // namespace
} // namespace culprit::locate
