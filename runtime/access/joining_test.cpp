// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/access/joining.h"

#include "runtime/access/check.h"
#include "runtime/access/exact.h"
#include "runtime/access/unit_for_tests.h"
#include "runtime/heap/allocate.h"

#include <gtest/gtest.h>

namespace culprit::access {
namespace {

constexpr uint32_t kJoint = 2; // rows 0 and 1 are the accesses', 2 and 3 the joint ones

// Four members of eight bytes.
TestUnit &unit() {
  static TestUnit only(0x101c, {8, 8, 8, 8}, 32, {0, 8, 16, 24}, true);
  static bool entered = (only.enter(), true);
  (void)entered;
  return only;
}

char *make(uint32_t site, size_t size) {
  __culprit_context = unit().site(site);
  return static_cast<char *>(__culprit_malloc(size));
}

bool touch(const char *first, const char *other) {
  TestSet set(0, kJoint);
  set.add(other - first, 1);
  return check_joint(number(first), set, unit().row(0), [&] {
    check_byte(number(first), unit().row(0));
    check_byte(number(other), unit().row(1));
  });
}

bool is_told(uint32_t row, const char *byte) {
  return g_pairs.has(row_of(unit().row(row)).first, name_of_byte(number(byte)));
}

TEST(Joining, TwoMembersOfABlockHaveOneCheckFromTheSecondTimeOn) {
  char *block = make(1, 32);
  EXPECT_FALSE(touch(block + 8, block + 24));
  EXPECT_TRUE(is_told(0, block + 8));
  EXPECT_TRUE(is_told(1, block + 24));
  char *another = make(1, 32);
  EXPECT_TRUE(touch(another + 8, another + 24));
  heap::free(another);
  heap::free(block);
}

// The other half of its granule is nobody's: the last member is one all the same, not one that may
// begin at any byte.
TEST(Joining, ALastMemberThatEndsWithinItsGranuleIsJoined) {
  static TestUnit shorter(0x101d, {8, 8, 8, 8}, 24, {0, 8, 16}, true);
  shorter.enter();
  for (size_t structs : {1, 2}) {
    __culprit_context = shorter.site(static_cast<uint32_t>(structs));
    auto *block = static_cast<char *>(__culprit_malloc(structs * 24));
    for (char *at = block; at < block + structs * 24; at += 24) {
      TestSet set(0, kJoint);
      set.add(-16, 1);
      const auto touch_both = [&] {
        return check_joint(number(at + 16), set, shorter.row(0), [&] {
          check_byte(number(at + 16), shorter.row(0));
          check_byte(number(at), shorter.row(1));
        });
      };
      touch_both();
      EXPECT_TRUE(touch_both()) << structs << ", " << at - block;
    }
    heap::free(block);
  }
}

TEST(Joining, AnotherMemberIsAnotherPlace) {
  char *block = make(2, 32);
  EXPECT_FALSE(touch(block, block + 16));
  EXPECT_FALSE(touch(block + 8, block + 24));
  EXPECT_TRUE(is_told(0, block + 8));
  EXPECT_TRUE(is_told(1, block + 24));
  heap::free(block);
}

TEST(Joining, OfABlockWithHalfAStructNothingFollows) {
  char *block = make(3, 64);
  touch(block, block + 24);
  ASSERT_TRUE(touch(block + 32, block + 56));
  char *half = make(3, 48); // of its second struct there are two members
  EXPECT_FALSE(touch(half + 32, half + 56));
  EXPECT_TRUE(is_told(1, half + 56));
  EXPECT_NE(name_of_byte(number(half + 56)), name_of_byte(number(block + 56)));
  heap::free(half);
  heap::free(block);
}

TEST(Joining, WhatLeavesTheStructIsAskedForOnce) {
  char *block = make(4, 64);
  EXPECT_FALSE(touch(block + 16, block + 40));
  EXPECT_FALSE(touch(block + 16, block + 40));
  EXPECT_FALSE(has_bit(number(block + 16), unit().row(kJoint)));
  EXPECT_TRUE(has_bit(number(block + 16), unit().row(kJoint + 1)));
  heap::free(block);
}

TEST(Joining, MemoryOfNobodySaysNothing) {
  static char plain[64] __attribute__((aligned(16)));
  EXPECT_FALSE(touch(plain, plain + 16));
  EXPECT_FALSE(touch(plain, plain + 16));
  EXPECT_TRUE(has_bit(number(plain), unit().row(kJoint + 1)));
}

TEST(Joining, InOneGranuleNoTypeIsNeeded) {
  static TestUnit untyped(0x101e, {8, 8, 8, 8}, 32, {0, 8, 16, 24}, false);
  untyped.enter();
  __culprit_context = untyped.site(1);
  auto *block = static_cast<char *>(__culprit_malloc(48));
  const auto touch_both = [&](const char *first, const char *other) {
    TestSet set(0, kJoint);
    set.add(other - first, 1);
    return check_joint(number(first), set, untyped.row(0), [&] {
      check_byte(number(first), untyped.row(0));
      check_byte(number(other), untyped.row(1));
    });
  };
  EXPECT_FALSE(touch_both(block + 16, block + 24));
  EXPECT_TRUE(touch_both(block + 16, block + 24));
  EXPECT_TRUE(touch_both(block, block + 8)); // the same kind of granule
  EXPECT_FALSE(touch_both(block + 8, block + 16));
  EXPECT_FALSE(touch_both(block + 8, block + 16));
  heap::free(block);
}

TEST(Joining, InOneGranuleWithTwoObjectsEachIsItsOwn) {
  static TestUnit untyped(0x101f, {8, 8, 8, 8}, 32, {0, 8, 16, 24}, false);
  untyped.enter();
  __culprit_context = untyped.site(1);
  auto *block = static_cast<char *>(__culprit_malloc(24));
  TestSet set(0, kJoint);
  set.add(8, 1);
  const bool was_joined = check_joint(number(block + 16), set, untyped.row(0), [&] {
    check_byte(number(block + 16), untyped.row(0));
    check_byte(number(block + 24), untyped.row(1));
  });
  EXPECT_FALSE(was_joined);
  EXPECT_NE(name_of_byte(number(block + 16)), name_of_byte(number(block + 24)));
  EXPECT_TRUE(g_pairs.has(row_of(untyped.row(1)).first, name_of_byte(number(block + 24))));
  heap::free(block);
}

} // namespace
} // namespace culprit::access
