// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/unwind/unwind.h"

#include <gtest/gtest.h>

#include <csignal>
#include <random>
#include <sys/mman.h>
#include <thread>
#include <ucontext.h>

namespace culprit::unwind {
namespace {

uintptr_t g_frames[64];
size_t g_count;

[[gnu::noinline]] void innermost() {
  g_count = capture(g_frames, 64);
  __asm__ volatile("" : : : "memory"); // no tail call: the frame must still be there
}
[[gnu::noinline]] void middle() {
  innermost();
  __asm__ volatile("" : : : "memory");
}
[[gnu::noinline]] void outermost() {
  middle();
  __asm__ volatile("" : : : "memory");
}

template <typename F> bool inside(uintptr_t pc, F *function) {
  return pc - reinterpret_cast<uintptr_t>(function) < 64;
}

void expect_chain() {
  ASSERT_GE(g_count, 3u);
  EXPECT_TRUE(inside(g_frames[0], innermost));
  EXPECT_TRUE(inside(g_frames[1], middle));
  EXPECT_TRUE(inside(g_frames[2], outermost));
}

TEST(Unwind, NamesTheCallersInnermostFirst) {
  outermost();
  expect_chain();
}

TEST(Unwind, WorksInOtherThreads) {
  std::thread(outermost).join();
  expect_chain();
}

TEST(Unwind, StopsAtTheWantedDepth) {
  uintptr_t frames[2] = {0, 77};
  EXPECT_EQ(capture(frames, 1), 1u);
  EXPECT_EQ(frames[1], 77u);
  EXPECT_EQ(capture(frames, 0), 0u);
}

TEST(Unwind, NeverFaultsOnGarbageFramePointers) {
  std::mt19937_64 random(5);
  uintptr_t frames[16];
  // Words a chain may be led through, on the stack itself, where everything is readable.
  uintptr_t garbage[512];
  for (uintptr_t &word : garbage)
    word = random() % 2 ? random() : reinterpret_cast<uintptr_t>(&garbage[random() % 512]);
  void *closed = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  for (int i = 0; i < 200'000; ++i) {
    uintptr_t frame = random();
    switch (i % 6) {
    case 0:
      frame = here + frame % (1 << 20); // beyond the end of the stack, too
      break;
    case 1:
      frame = reinterpret_cast<uintptr_t>(&garbage[frame % 512]);
      break;
    case 2:
      frame = reinterpret_cast<uintptr_t>(closed) + frame % 4096;
      break;
    case 3:
      frame = frame % 16 ? frame & 0x7fffffffffff : 0;
      break;
    case 4:
      frame = ~uintptr_t{0} - frame % 32;
      break;
    default:
      break;
    }
    EXPECT_LE(capture_from(frame, 1234, frames, 16), 16u);
  }
  munmap(closed, 4096);
}

// Code without frame pointers keeps anything in the register.
TEST(Unwind, NeverFaultsOnSmallNumbers) {
  uintptr_t frames[16];
  for (uintptr_t frame = 0; frame < 8192; ++frame)
    EXPECT_EQ(capture_interrupted(frame, 1234, frames, 16), 1u);
}

TEST(Unwind, FramePointersInALoopEnd) {
  uintptr_t loop[4];
  loop[0] = reinterpret_cast<uintptr_t>(&loop[2]);
  loop[1] = 0x400000;
  loop[2] = reinterpret_cast<uintptr_t>(&loop[0]);
  loop[3] = 0x400000;
  uintptr_t frames[100];
  EXPECT_LE(capture_from(reinterpret_cast<uintptr_t>(loop), 0, frames, 100), 2u);
}

TEST(Unwind, WorksAndStaysSafeOnASignalStack) {
  static char stack[65536];
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, nullptr);
  struct sigaction action{};
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  action.sa_sigaction = [](int, siginfo_t *, void *context) {
    outermost();
    auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
    uintptr_t frames[64];
    EXPECT_GE(capture_from(static_cast<uintptr_t>(registers[REG_RBP]),
                           static_cast<uintptr_t>(registers[REG_RIP]), frames, 64),
              1u);
    capture_from(0xdeadbeefdeadbee8, 1, frames, 64);
  };
  sigaction(SIGUSR1, &action, nullptr);
  g_count = 0;
  raise(SIGUSR1);
  expect_chain();
  signal(SIGUSR1, SIG_DFL);
  alternate.ss_flags = SS_DISABLE;
  sigaltstack(&alternate, nullptr);
}

TEST(Unwind, DepthComesFromTheOptions) { EXPECT_EQ(depth(), 16u); }

} // namespace
} // namespace culprit::unwind
