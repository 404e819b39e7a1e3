// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/locate/signals.h"

#include "runtime/locate/child_for_tests.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/values.h"

#include <gtest/gtest.h>

#undef NDEBUG
#include <cassert>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <thread>

extern "C" void __culprit_smashed(uint64_t *sentinel, uint64_t expected);

namespace culprit::locate {
namespace {

void fault() { *reinterpret_cast<volatile int *>(0x1230) = 1; }

TEST(Signals, AFaultIsToldWithPlaceLeavesAndClock) {
  Ended ended = in_child([] {
    __culprit_clock = 55 * CULPRIT_TICK;
    __culprit_place = 12;
    for (unsigned i = 0; i < CULPRIT_LEAVES; ++i)
      __culprit_leaves[i] = 100 + i;
    fault();
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_SIGNAL});
  EXPECT_EQ(ended.crash->signal, SIGSEGV);
  EXPECT_EQ(ended.crash->address, 0x1230u);
  EXPECT_EQ(ended.crash->clock, 55 * CULPRIT_TICK);
  EXPECT_EQ(ended.crash->place, 12u);
  for (unsigned i = 0; i < CULPRIT_LEAVES; ++i)
    EXPECT_EQ(ended.crash->leaves[i], 100 + i);
  EXPECT_EQ(ended.crash->block, 0u);
  EXPECT_EQ(ended.signal(), SIGSEGV);
}

TEST(Signals, TheMachinesAreCrashesAndKeepTheirStatus) {
  struct Case {
    int signal;
    void (*body)();
  };
  for (const Case &each :
       {Case{SIGILL, [] { __builtin_trap(); }}, Case{SIGTRAP, [] { __builtin_debugtrap(); }},
        Case{SIGFPE, [] {
               volatile int zero = 0;
               volatile int one = 1;
               one = one / zero;
             }}}) {
    Ended ended = in_child(each.body);
    ASSERT_TRUE(ended.crash);
    EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_SIGNAL});
    EXPECT_EQ(ended.crash->signal, each.signal);
    EXPECT_EQ(ended.signal(), each.signal);
  }
}

TEST(Signals, APointerThatIsNoAddressHasNone) {
  Ended ended = in_child([] { *reinterpret_cast<volatile int *>(0xdddddddddddddddd) = 1; });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->address, ~uint64_t{0});
}

TEST(Signals, WhatAProgramDoesToItselfIsAnAbort) {
  struct Case {
    int signal;
    void (*body)();
  };
  for (const Case &each :
       {Case{SIGABRT, [] { std::abort(); }}, Case{SIGABRT, [] { std::terminate(); }},
        Case{SIGABRT, [] { assert(getpid() == 0); }},
        Case{SIGABRT, [] { signal(SIGABRT, SIG_IGN), std::abort(); }},
        Case{SIGFPE, [] { raise(SIGFPE); }}, Case{SIGSEGV, [] { kill(getpid(), SIGSEGV); }}}) {
    Ended ended = in_child(each.body);
    ASSERT_TRUE(ended.crash);
    EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_ABORT});
    EXPECT_EQ(ended.crash->signal, each.signal);
    EXPECT_EQ(ended.signal(), each.signal);
  }
}

TEST(Signals, OfAnotherProcessAreNoCrash) {
  Ended ended = in_child([] {
    pid_t self = getpid();
    if (fork() == 0) {
      kill(self, SIGSEGV);
      _exit(0);
    }
    for (;;)
      pause();
  });
  EXPECT_FALSE(ended.crash);
  EXPECT_EQ(ended.signal(), SIGSEGV);
}

TEST(Signals, AHandlerOfTheTargetsDoesNotHideAFaultAndKeepsItsStatus) {
  Ended ended = in_child([] {
    signal(SIGSEGV, [](int number) { _exit(number); });
    fault();
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->signal, SIGSEGV);
  EXPECT_EQ(ended.code(), SIGSEGV);
}

TEST(Signals, AHandlerWithInformationGetsIt) {
  Ended ended = in_child([] {
    struct sigaction action = {};
    action.sa_sigaction = [](int, siginfo_t *info, void *) {
      _exit(info->si_addr == reinterpret_cast<void *>(0x1230) ? 4 : 5);
    };
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
    fault();
  });
  EXPECT_TRUE(ended.crash);
  EXPECT_EQ(ended.code(), 4);
}

TEST(Signals, AHandlerForWhatItSendsItselfIsMeant) {
  Ended ended = in_child([] {
    static int seen;
    signal(SIGTRAP, [](int) { ++seen; });
    raise(SIGTRAP);
    raise(SIGTRAP);
    _exit(seen);
  });
  EXPECT_FALSE(ended.crash);
  EXPECT_EQ(ended.code(), 2);
}

TEST(Signals, AHandlerMayJumpOutAndTheFirstCrashIsTheOneTold) {
  Ended ended = in_child([] {
    static sigjmp_buf back;
    signal(SIGSEGV, [](int) { siglongjmp(back, 1); });
    static int jumps;
    if (sigsetjmp(back, 1))
      ++jumps;
    if (jumps < 3) {
      __culprit_place = static_cast<uint32_t>(7 + jumps);
      fault();
    }
    _exit(jumps);
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->place, 7u);
  EXPECT_EQ(ended.code(), 3);
}

TEST(Signals, WhatTheTargetSetIsWhatItIsTold) {
  Ended ended = in_child([] {
    auto handler = [](int) {};
    void (*plain)(int) = handler;
    if (signal(SIGSEGV, plain) != SIG_DFL || signal(SIGSEGV, SIG_IGN) != plain)
      _exit(1);
    struct sigaction action = {};
    struct sigaction before = {};
    action.sa_handler = plain;
    action.sa_flags = SA_RESETHAND | SA_NODEFER;
    sigaddset(&action.sa_mask, SIGUSR1);
    if (sigaction(SIGSEGV, &action, &before) || before.sa_handler != SIG_IGN)
      _exit(2);
    if (sigaction(SIGSEGV, nullptr, &before) || before.sa_handler != plain ||
        before.sa_flags != action.sa_flags || !sigismember(&before.sa_mask, SIGUSR1))
      _exit(3);
    // Others are the kernel's.
    if (sigaction(SIGUSR2, &action, nullptr) || sigaction(SIGUSR2, nullptr, &before) ||
        before.sa_handler != plain || before.sa_flags != action.sa_flags ||
        !sigismember(&before.sa_mask, SIGUSR1))
      _exit(4);
    if (sigaction(0, nullptr, &before) != -1 || sigaction(65, nullptr, &before) != -1 ||
        sigaction(SIGKILL, &action, nullptr) != -1 || signal(32, plain) != SIG_ERR)
      _exit(5);
    signal(SIGUSR1, plain);
    sigaction(SIGUSR1, nullptr, &before);
    if (before.sa_flags != SA_RESTART)
      _exit(6);
    siginterrupt(SIGUSR1, 1);
    signal(SIGUSR1, plain);
    sigaction(SIGUSR1, nullptr, &before);
    if (before.sa_flags != 0)
      _exit(7);
    raise(SIGUSR1); // comes back
    _exit(42);
  });
  EXPECT_EQ(ended.code(), 42);
}

[[gnu::noinline]] int descend(int depth) {
  volatile char frame[1000];
  frame[depth % 1000] = 1;
  return depth < 0 ? 0 : descend(depth + 1) + frame[0];
}

TEST(Signals, AFullStackIsExhausted) {
  Ended machine = in_child([] { descend(0); });
  ASSERT_TRUE(machine.crash);
  EXPECT_EQ(machine.crash->kind, uint32_t{CULPRIT_CRASH_EXHAUSTED});
  EXPECT_EQ(machine.signal(), SIGSEGV);
  Ended data = in_child([] {
    for (volatile char *at = __culprit_data_stack;; at -= 4096)
      *at = 1;
  });
  ASSERT_TRUE(data.crash);
  EXPECT_EQ(data.crash->kind, uint32_t{CULPRIT_CRASH_EXHAUSTED});
  Ended above = in_child([] {
    for (volatile char *at = __culprit_data_stack;; at += 4096)
      *at = 1;
  });
  ASSERT_TRUE(above.crash);
  EXPECT_EQ(above.crash->kind, uint32_t{CULPRIT_CRASH_SIGNAL});
}

TEST(Signals, AFaultIsToldThoughTheTargetBlocksIt) {
  void (*bodies[])() = {[] {
                          sigset_t all;
                          sigfillset(&all);
                          sigprocmask(SIG_SETMASK, &all, nullptr);
                          fault();
                        },
                        [] {
                          sigset_t all;
                          sigfillset(&all);
                          pthread_sigmask(SIG_BLOCK, &all, nullptr);
                          fault();
                        },
                        [] {
                          struct sigaction action = {};
                          action.sa_handler = [](int) { fault(); };
                          sigfillset(&action.sa_mask);
                          sigaction(SIGUSR1, &action, nullptr);
                          raise(SIGUSR1);
                        }};
  for (auto *body : bodies) {
    Ended ended = in_child(body);
    EXPECT_TRUE(ended.crash);
    EXPECT_EQ(ended.signal(), SIGSEGV);
  }
}

TEST(Signals, AHandlerLeavesTheGlobalsAsTheyWere) {
  for (int number : {SIGUSR1, SIGTRAP}) {
    Ended ended = in_child([=] {
      signal(number, [](int) {
        std::free(std::malloc(10));
        for (Id &each : __culprit_argument_ids)
          each = 7;
        for (Id &each : __culprit_leaves)
          each = 7;
        __culprit_place = 7;
        __culprit_result_id = 7;
        __culprit_callee = &__culprit_place;
        __culprit_data_stack -= 100;
        __culprit_clock += CULPRIT_TICK;
      });
      char *stack = __culprit_data_stack;
      for (Id &each : __culprit_argument_ids)
        each = 3;
      for (Id &each : __culprit_leaves)
        each = 3;
      __culprit_place = 3;
      __culprit_result_id = 3;
      __culprit_callee = stack;
      __culprit_allocation_id = 3;
      raise(number);
      bool same = __culprit_place == 3 && __culprit_result_id == 3 && __culprit_callee == stack &&
                  __culprit_allocation_id == 3 && __culprit_data_stack == stack &&
                  __culprit_clock == CULPRIT_TICK;
      for (Id each : __culprit_argument_ids)
        same &= each == 3;
      for (Id each : __culprit_leaves)
        same &= each == 3;
      _exit(same ? 0 : 1);
    });
    EXPECT_EQ(ended.code(), 0);
    EXPECT_FALSE(ended.crash);
  }
}

TEST(Signals, AHandlerLeavesIdsThatWereJustReturnedAsTheyWere) {
  [[gnu::section(CULPRIT_RETURNED_SECTION), gnu::used]] static volatile Id returned[2];
  for (int number : {SIGUSR1, SIGTRAP}) {
    Ended ended = in_child([=] {
      signal(number, [](int) { returned[0] = 7; });
      returned[0] = 3;
      raise(number);
      _exit(returned[0] == 3 ? 0 : 1);
    });
    EXPECT_EQ(ended.code(), 0);
  }
}

TEST(Signals, AHandlerForOneTimeIsGoneAfterIt) {
  for (int number : {SIGUSR1, SIGTRAP}) {
    Ended ended = in_child([=] {
      struct sigaction action = {};
      action.sa_sigaction = [](int, siginfo_t *info, void *) {
        if (info->si_pid != getpid())
          _exit(3);
      };
      action.sa_flags = static_cast<int>(SA_RESETHAND | SA_SIGINFO);
      sigaction(number, &action, nullptr);
      raise(number);
      struct sigaction now = {};
      sigaction(number, nullptr, &now);
      if (now.sa_handler != SIG_DFL)
        _exit(1);
      raise(number);
    });
    EXPECT_EQ(ended.signal(), number);
  }
}

TEST(Signals, OthersAreBlockedAsAskedFor) {
  Ended ended = in_child([] {
    static int seen;
    signal(SIGUSR1, [](int) { ++seen; });
    sigset_t one;
    sigset_t before;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    if (sigprocmask(SIG_BLOCK, &one, &before) || sigismember(&before, SIGUSR1))
      _exit(1);
    raise(SIGUSR1);
    if (seen || sigprocmask(SIG_SETMASK, nullptr, &before) || !sigismember(&before, SIGUSR1))
      _exit(2);
    if (pthread_sigmask(SIG_UNBLOCK, &one, nullptr) || seen != 1)
      _exit(3);
    if (sigprocmask(77, &one, nullptr) != -1 || errno != EINVAL ||
        pthread_sigmask(77, &one, nullptr) != EINVAL)
      _exit(4);
  });
  EXPECT_EQ(ended.code(), 0);
}

TEST(Signals, RunningOverTheTopOfAStackIsAFault) {
  Ended ended = in_child([] {
    char local = 0;
    for (volatile char *at = &local;; at += 4096)
      *at = 1;
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_SIGNAL});
}

TEST(Crash, SaysWhetherThereWereThreads) {
  Ended alone = in_child(fault);
  ASSERT_TRUE(alone.crash);
  EXPECT_EQ(alone.crash->flags, 0u);
  Ended several = in_child([] {
    std::thread([] {}).join();
    fault();
  });
  ASSERT_TRUE(several.crash);
  EXPECT_EQ(several.crash->flags, uint32_t{CULPRIT_CRASH_THREADS});
}

// The cells of an intact half may hold what an earlier frame left there.
TEST(Sentinel, WrittenByWhatIsKnownIsPutBackElseItIsACrash) {
  constexpr uint64_t kExpected = 0x11112222'33334444;
  constexpr Id kKnown = CULPRIT_ID_CORRUPT | 4;
  struct Case {
    uint64_t found;
    Id low, high;
    Id written; // 0: put back
  };
  for (const Case &each :
       {Case{0x11112222'00000000, 5, kKnown, 5}, Case{0x00002222'33334444, kKnown, 6, 6},
        Case{0x00002222'33334444, 5, kKnown, 0}, Case{0, kKnown, kKnown, 0}, Case{0, kKnown, 6, 6},
        Case{0, 8, 6, 6}, Case{0, 5, 6, 5}}) {
    Ended ended = in_child([=] {
      auto *sentinel = reinterpret_cast<uint64_t *>(__culprit_data_stack - 64);
      *sentinel = each.found;
      cell_of(reinterpret_cast<uintptr_t>(sentinel))[0] = each.low;
      cell_of(reinterpret_cast<uintptr_t>(sentinel))[1] = each.high;
      __culprit_smashed(sentinel, kExpected);
      _exit(*sentinel == kExpected ? 0 : 1);
    });
    EXPECT_EQ(ended.crash.has_value(), each.written != 0);
    EXPECT_EQ(each.written ? ended.signal() : ended.code(), each.written ? SIGABRT : 0);
    if (!ended.crash)
      continue;
    EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_SMASHED});
    EXPECT_EQ(ended.crash->written, each.written);
  }
}

TEST(Crash, OfAForkedChildIsItsOwn) {
  Ended ended = in_child([] {
    if (fork() == 0)
      fault();
    int status = 0;
    wait(&status);
    _exit(WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  });
  EXPECT_TRUE(ended.crash);
  EXPECT_EQ(ended.code(), SIGSEGV);
}

TEST(Signals, AFaultTellsOfWhatIsWrongInTheHeapAlready) {
  Ended ended = in_child([] {
    __culprit_allocation_id = 3 * CULPRIT_TICK | 7;
    auto *block = static_cast<volatile char *>(malloc(20));
    define(reinterpret_cast<uintptr_t>(block) + 20, 1, 4 * CULPRIT_TICK | 8);
    block[20] = 'x';
    fault();
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_GUARD});
  EXPECT_EQ(ended.crash->written, 4 * CULPRIT_TICK | 8);
  EXPECT_EQ(ended.crash->allocated, 3 * CULPRIT_TICK | 7);
  EXPECT_EQ(ended.signal(), SIGSEGV);
}

TEST(Signals, AFaultTellsWhichArgumentsPointIntoFreedBlocks) {
  Ended ended = in_child([] {
    auto *block = static_cast<char *>(malloc(20));
    __culprit_allocation_id = 5 * CULPRIT_TICK | 9;
    free(block);
    __culprit_pointers[0] = nullptr;
    __culprit_pointers[1] = block + 8;
    __culprit_pointers[2] = "elsewhere";
    fault();
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.arguments.freed_by[0], 0u);
  EXPECT_EQ(ended.arguments.freed_by[1], 5 * CULPRIT_TICK | 9);
  EXPECT_EQ(ended.arguments.freed_by[2], 0u);
}

TEST(Signals, AFaultTellsWhichArgumentsLeadNowhere) {
  Ended ended = in_child([] {
    for (const void *&pointer : __culprit_pointers)
      pointer = nullptr;
    __culprit_pointers[1] = "somewhere";
    __culprit_pointers[2] = reinterpret_cast<const void *>(0x7300555555558488);
    *reinterpret_cast<volatile char *>(0x7300555555558488) = 1;
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.arguments.nowhere, 4u); // NULL is not the reason of this one
  ended = in_child([] {
    for (const void *&pointer : __culprit_pointers)
      pointer = "somewhere";
    __culprit_pointers[3] = nullptr;
    fault();
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.arguments.nowhere, 8u);
}

} // namespace
} // namespace culprit::locate
