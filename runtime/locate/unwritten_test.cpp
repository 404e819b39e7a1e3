// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks of memory that nobody has written, and who takes them off.
#include "runtime/locate/unwritten.h"

#include "abi/locate.h"
#include "runtime/locate/guards.h"
#include "runtime/locate/ids.h"

#include <cstring>
#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

constexpr Id kMade = CULPRIT_TICK * 5 | 3;
constexpr Id kMarked = kMade | CULPRIT_ID_UNWRITTEN;

uintptr_t address_of(const void *memory) { return reinterpret_cast<uintptr_t>(memory); }

TEST(Unwritten, AMarkCountsWhileTheBytesAreThoseOfAFreshOrFreedBlock) {
  alignas(8) unsigned char bytes[8];
  for (unsigned char pattern : {kFresh, kFreed}) {
    std::memset(bytes, pattern, sizeof bytes);
    EXPECT_EQ(unless_written(kMarked, address_of(bytes), 8), kMarked);
    bytes[5] = 1;
    EXPECT_EQ(unless_written(kMarked, address_of(bytes), 8), kMade);
    EXPECT_EQ(unless_written(kMarked, address_of(bytes), 4), kMarked);
  }
}

TEST(Unwritten, FreshMemoryMayBeZero) {
  alignas(8) unsigned char bytes[8] = {};
  EXPECT_EQ(unless_written(kMarked, address_of(bytes), 8), kMade);
  g_contents = contents_of(CULPRIT_CONTENTS_ZERO);
  EXPECT_EQ(unless_written(kMarked, address_of(bytes), 8), kMarked);
  g_contents = contents_of(0);
}

TEST(Unwritten, WhatWasComputedNeedNotLookLikeIt) {
  alignas(8) unsigned char bytes[8] = {1, 2, 3};
  Id derived = kMarked | CULPRIT_ID_DERIVED;
  EXPECT_EQ(unless_written(derived, address_of(bytes), 8), derived);
}

TEST(Unwritten, AVariableWasNotFilled) {
  alignas(8) unsigned char bytes[8] = {1, 2, 3};
  Id declared = CULPRIT_ID_UNWRITTEN | 7;
  EXPECT_EQ(unless_written(declared, address_of(bytes), 8), declared);
}

TEST(Unwritten, WhatUnseenCodeHasFreedHasNoDefinitionWithoutTheMark) {
  alignas(8) unsigned char bytes[8] = {1, 2, 3};
  EXPECT_EQ(unless_written(kMarked | CULPRIT_ID_BY_PLACE, address_of(bytes), 8), 0u);
}

TEST(Unwritten, OfSeveralCellsEachIsLookedAt) {
  alignas(8) unsigned char bytes[16];
  std::memset(bytes, kFresh, sizeof bytes);
  define(address_of(bytes), 16, kMarked);
  EXPECT_EQ(id_of(address_of(bytes), 16), kMarked);
  std::memcpy(bytes, "abcdefghijklmno", 16); // by nobody who tells
  EXPECT_EQ(id_of(address_of(bytes), 16), kMade);
  EXPECT_EQ(id_of_text(reinterpret_cast<const char *>(bytes)), kMade);
  define(address_of(bytes), 16, 0);
}

TEST(Unwritten, OfAnObjectWhoseSizeIsKnownNothingBesideItIsHandedOut) {
  alignas(8) unsigned char bytes[32];
  std::memset(bytes, kFresh, sizeof bytes);
  define(address_of(bytes), 32, kMarked);
  define(address_of(bytes) + 4, 4, kMade); // its first cell has been written
  hand_out(address_of(bytes) + 4, 16);
  EXPECT_EQ(id_of(address_of(bytes), 4), kMarked);
  EXPECT_EQ(id_of(address_of(bytes) + 8, 12), kMade);
  EXPECT_EQ(id_of(address_of(bytes) + 20, 4), kMarked);
  define(address_of(bytes), 32, 0);
}

TEST(Unwritten, WhatIsHandedOutToUnseenCodeIsNotMarkedAnyMore) {
  alignas(8) unsigned char bytes[32];
  std::memset(bytes, kFresh, sizeof bytes);
  Id other = kMarked + CULPRIT_TICK;
  define(address_of(bytes), 24, kMarked);
  define(address_of(bytes) + 24, 8, other);
  hand_out(address_of(bytes) + 8, 0);
  EXPECT_EQ(id_of(address_of(bytes), 4), kMade);
  EXPECT_EQ(id_of(address_of(bytes) + 20, 4), kMade);
  EXPECT_EQ(id_of(address_of(bytes) + 24, 4), other); // another block's
  define(address_of(bytes), 32, 0);
}

} // namespace
} // namespace culprit::locate
