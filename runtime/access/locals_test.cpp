// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/access/locals.h"

#include "runtime/access/exact.h"
#include "runtime/access/unit_for_tests.h"
#include "runtime/access/variables.h"
#include "runtime/access/watches.h"

#include <gtest/gtest.h>

#include <csetjmp>
#include <thread>

namespace culprit::access {
namespace {

TestUnit &unit() {
  static TestUnit only = [] {
    TestUnit made(0x7a81, {1}, 12, {0, 4}, false);
    return made;
  }();
  static bool entered = (only.enter(), true);
  (void)entered;
  return only;
}

TEST(Locals, ALocalIsNamedWhileItLives) {
  static culprit_variable variable = unit().local(0, 40);
  alignas(16) char frame[64];
  __culprit_local_on(frame + 8, &variable);
  EXPECT_EQ(name_of_byte(number(frame + 7)), 0u);
  Name name = name_of_byte(number(frame + 8));
  EXPECT_NE(name, 0u);
  EXPECT_EQ(name_of_byte(number(frame + 47)), name);
  EXPECT_EQ(name_of_byte(number(frame + 48)), 0u);
  __culprit_local_off(frame + 8, 40);
  for (const char &byte : frame)
    EXPECT_EQ(name_of_byte(number(&byte)), 0u);
}

TEST(Locals, AReturnSlotKeepsItsBytesBesideALocal) {
  static culprit_variable slot = unit().local(1, 8);
  static culprit_variable local = unit().local(2, 12, true);
  alignas(16) char frame[32];
  __culprit_local_on(frame + 8, &slot);
  __culprit_local_on(frame + 16, &local);
  __culprit_local_on(frame, &local); // a second life of it, which ends inside the slot's granule
  Name of_slot = name_of_byte(number(frame + 12));
  Name first = name_of_byte(number(frame + 16));
  EXPECT_EQ(name_of_byte(number(frame + 20)), first + 1);
  EXPECT_EQ(name_of_byte(number(frame + 7)), first + 1);
  EXPECT_EQ(name_of_byte(number(frame + 15)), of_slot);
  __culprit_local_off(frame, 12);
  EXPECT_EQ(name_of_byte(number(frame + 15)), of_slot);
  EXPECT_EQ(name_of_byte(number(frame + 11)), 0u);
  __culprit_local_off(frame + 8, 8);
  __culprit_local_off(frame + 16, 12);
  EXPECT_EQ(tag_at(number(frame)), kUnwatched);
  EXPECT_EQ(tag_at(number(frame + 16)), kUnwatched);
}

TEST(Locals, ALocalThatWasAloneLeavesItsNeighbourTheirGranuleInALaterLife) {
  static culprit_variable slot = unit().local(1, 4);
  static culprit_variable local = unit().local(2, 12, true);
  alignas(16) char frame[16];
  for (int alone = 0; alone < 2; ++alone) {
    __culprit_local_on(frame, &local);
    EXPECT_EQ(name_of_byte(number(frame + 12)), 0u);
    __culprit_local_off(frame, 12);
  }
  __culprit_local_on(frame + 12, &slot);
  Name of_slot = name_of_byte(number(frame + 12));
  EXPECT_NE(of_slot, 0u);
  __culprit_local_on(frame, &local);
  EXPECT_EQ(name_of_byte(number(frame + 12)), of_slot);
  EXPECT_NE(name_of_byte(number(frame)), 0u);
  EXPECT_NE(name_of_byte(number(frame)), of_slot);
  __culprit_local_off(frame, 12);
  __culprit_local_off(frame + 12, 4);
  EXPECT_EQ(tag_at(number(frame)), kUnwatched);
}

// An array of structs, as a parser has its stack: its tags are copied from the second life on.
TEST(Locals, ALargeLocalHasTheSameNamesInEachLife) {
  constexpr size_t kSize = 12 * 198; // as many granules from either start
  static culprit_variable local = unit().local(11, kSize, true);
  alignas(16) static char frame[kSize + 32];
  Name names[kSize];
  for (int life = 0; life < 3; ++life)
    for (size_t start : {size_t{0}, size_t{8}}) {
      __culprit_local_on(frame + start, &local);
      for (size_t i = 0; i < kSize; ++i) {
        Name name = name_of_byte(number(frame + start + i));
        ASSERT_NE(name, 0u);
        if (life == 0 && start == 0)
          names[i] = name;
        ASSERT_EQ(name, names[i]) << "life " << life << ", byte " << i;
      }
      EXPECT_EQ(name_of_byte(number(frame + start + kSize)), 0u);
      __culprit_local_off(frame + start, kSize);
      for (const char &byte : frame)
        ASSERT_EQ(name_of_byte(number(&byte)), 0u);
    }
  EXPECT_NE(names[0], names[4]);
  EXPECT_EQ(names[0], names[12]);
}

std::jmp_buf g_back;
uintptr_t g_left;

[[gnu::noinline]] void leave_by_longjmp(unsigned depth) {
  static culprit_variable variable = unit().local(3, 64);
  char buffer[64];
  __culprit_local_on(buffer, &variable);
  if (depth == 0) {
    g_left = number(buffer);
    std::longjmp(g_back, 1);
  }
  leave_by_longjmp(depth - 1);
  __culprit_local_off(buffer, sizeof buffer);
}

// What the code does with them: abi/access.h.
TEST(Locals, TheTagsOfALocalThatOwnsItsGranulesAreKeptForTheCode) {
  static culprit_variable variable = unit().local(6, 20);
  static culprit_variable gap = unit().local(7, 12);
  alignas(16) char frame[32];
  ASSERT_TRUE(tags_are_free());
  __culprit_local_owns(frame, &variable, &gap);
  EXPECT_EQ(variable.tags, tag_at(number(frame)) | uint64_t{tag_at(number(frame + 16))} << 16);
  EXPECT_NE(name_of_byte(number(frame + 19)), 0u);
  EXPECT_NE(name_of_byte(number(frame + 20)), name_of_byte(number(frame + 19)));
  EXPECT_EQ(name_of_byte(number(frame + 31)), name_of_byte(number(frame + 20)));
  EXPECT_LE(__culprit_lowest_local, number(frame));
  __culprit_local_owned(frame, sizeof frame);
  EXPECT_EQ(tag_at(number(frame)), kUnwatched);
  EXPECT_EQ(tag_at(number(frame + 16)), kUnwatched);
}

// A return slot: half a granule, in which another life left a name.
TEST(Locals, WhoOwnsAGranuleTakesOffWhatWasLeftThere) {
  static culprit_variable left = unit().local(8, 8);
  static culprit_variable slot = unit().local(9, 8);
  alignas(16) char frame[16];
  __culprit_local_on(frame, &left);
  __culprit_local_owns(frame + 8, &slot, nullptr);
  EXPECT_EQ(name_of_byte(number(frame)), 0u);
  EXPECT_NE(name_of_byte(number(frame + 8)), 0u);
  EXPECT_EQ(slot.tags, tag_at(number(frame)));
  __culprit_local_owned(frame + 8, 8);
}

TEST(Locals, WatchingTakesTheKeptTagsBack) {
  static culprit_variable variable = unit().local(10, 16);
  static int watched;
  alignas(16) char frame[16];
  __culprit_local_owns(frame, &variable, nullptr);
  EXPECT_NE(variable.tags, 0u);
  culprit_watcher *nobody = [](const void *, size_t, int, const void *, void *) {};
  ASSERT_EQ(culprit_watch_on(&watched, sizeof watched, CULPRIT_WATCH_WRITE, nobody, nullptr), 1);
  EXPECT_EQ(variable.tags, 0u);
  __culprit_local_owns(frame, &variable, nullptr);
  EXPECT_EQ(variable.tags, 0u);
  culprit_watch_off(&watched, sizeof watched, CULPRIT_WATCH_WRITE, nobody);
  __culprit_local_owns(frame, &variable, nullptr);
  EXPECT_NE(variable.tags, 0u);
  __culprit_local_owned(frame, sizeof frame);
}

TEST(Locals, WhatLongjmpLeftIsTakenOff) {
  static culprit_variable own = unit().local(4, 16);
  alignas(16) char mine[16];
  __culprit_local_on(mine, &own);
  if (setjmp(g_back) == 0)
    leave_by_longjmp(20);
  EXPECT_NE(name_of_byte(g_left), 0u);
  __culprit_unwound(__builtin_frame_address(0));
  EXPECT_EQ(name_of_byte(g_left), 0u);
  __culprit_local_off(mine, sizeof mine);
}

TEST(Locals, WhatAThreadLeftIsTakenOffWhenItEnds) {
  static culprit_variable variable = unit().local(5, 64);
  uintptr_t left = 0;
  std::thread thread([&left] {
    char buffer[64];
    free(malloc(1)); // so that the thread has a cache, whose end is the thread's
    __culprit_local_on(buffer, &variable);
    left = number(buffer);
    EXPECT_NE(name_of_byte(left), 0u);
  });
  thread.join();
  EXPECT_EQ(name_of_byte(left), 0u);
}

} // namespace
} // namespace culprit::access
