// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/locate/endless.h"

#include "runtime/locate/child_for_tests.h"
#include "runtime/locate/values.h"

#include <gtest/gtest.h>

#include <csignal>
#include <unistd.h>

// Walks from node to node; the row says that rsi, rdx and rcx have the ids of what the first
// access's address is made of, rbx that of the second's.
__asm__(".pushsection culprit_text,\"ax\",@progbits\n"
        "walk_for_ever:\n"
        "  pushq %rbx\n"
        "  movq %r8, %rbx\n"
        "1:\n"
        "  movq (%rdi), %rdi\n"
        "2:\n"
        "  movq (%rdi), %rdi\n"
        "  jmp 1b\n"
        ".popsection\n"
        ".pushsection culprit_accesses,\"a\",@progbits\n"
        ".balign 4\n"
        ".long 1b - .\n"
        ".long 41\n"
        ".asciz \"%rsi;%rdx;%rcx\"\n"
        ".balign 4\n"
        ".long 2b - .\n"
        ".long 40\n"
        ".asciz \"%rbx\"\n"
        ".balign 4\n"
        ".popsection\n");
extern "C" [[noreturn]] void walk_for_ever(void *node, uint64_t a, uint64_t b, uint64_t c,
                                           uint64_t d);

namespace culprit::locate {
namespace {

constexpr uint64_t id_at(uint64_t time) { return time * CULPRIT_TICK | 3; }

Ended walk(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  return in_child([=] {
    __culprit_clock = 50 * CULPRIT_TICK;
    limit_time(20);
    void *node = &node;
    walk_for_ever(&node, a, b, c, d);
  });
}

TEST(Endless, WhatIsGoneRoundByIsTheNewestThatTheLoopDoesNotMake) {
  const Ended ended = walk(id_at(7), id_at(60), CULPRIT_ID_CORRUPT | id_at(30), id_at(6));
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_ENDLESS});
  EXPECT_EQ(ended.crash->place, 41U);
  EXPECT_EQ(ended.crash->leaves[0], id_at(7));
  EXPECT_EQ(ended.crash->leaves[1], 0U); // newer than the signal
  EXPECT_EQ(ended.crash->leaves[2], 0U); // known by now
  EXPECT_EQ(ended.crash->clock, 7 * CULPRIT_TICK);
  EXPECT_EQ(ended.signal(), SIGKILL);
}

TEST(Endless, OfEqualsThePlaceWithTheLowerNumberIsTold) {
  const Ended ended = walk(id_at(7), id_at(6), id_at(5), id_at(7));
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->place, 40U);
  EXPECT_EQ(ended.crash->leaves[0], id_at(7));
}

TEST(Endless, ALoopThatUsesNothingOlderHasNoPlace) {
  const Ended ended = walk(id_at(60), 0, 0, id_at(70));
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_ENDLESS});
  EXPECT_EQ(ended.crash->place, 0U);
  EXPECT_EQ(ended.crash->clock, 0U);
}

TEST(Endless, AProgramThatWaitsInTheKernelIsToldToo) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const Ended ended = in_child([&] {
    limit_time(20);
    char byte = 0;
    if (read(ends[0], &byte, 1) == 1)
      _exit(1);
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_ENDLESS});
  EXPECT_EQ(ended.crash->place, 0U);
  close(ends[0]);
  close(ends[1]);
}

TEST(Endless, AWaitThatASignalEndsIsNoEndOfTheProgram) {
  const Ended ended = in_child([] {
    limit_time(20);
    pause();
    __builtin_trap();
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_ENDLESS});
  EXPECT_EQ(ended.crash->place, 0U);
}

TEST(Endless, AStepOfTheTargetsOwnIsACrashAsBefore) {
  const Ended ended = in_child([] {
    __asm__ volatile("pushfq\n"
                     "orq $0x100, (%%rsp)\n"
                     "popfq\n"
                     "nop\n" ::
                         : "memory");
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_SIGNAL});
  EXPECT_EQ(ended.signal(), SIGTRAP);
}

} // namespace
} // namespace culprit::locate
