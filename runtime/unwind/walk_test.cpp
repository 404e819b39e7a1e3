// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled as users do: -O2, no frame pointers (CMakeLists.txt).
#include "runtime/unwind/call_frames.h"
#include "runtime/unwind/walked_code_for_tests.h"

#include <sys/mman.h>
#include <thread>

namespace culprit::unwind {
namespace {

class Walking : public testing::Test {
protected:
  static void SetUpTestSuite() { create_known_rules(); }
};

TEST_F(Walking, AgreesWithTheCompilersLibraryInOptimisedCode) { call_everything(expect_agreement); }

TEST_F(Walking, AgreesInAnotherThreadUpToItsBottom) {
  std::thread([] { call_everything(expect_agreement); }).join();
}

TEST_F(Walking, AgreesInASignalHandlerAndBeyondIt) {
  struct sigaction action{};
  action.sa_handler = [](int) { expect_agreement(); };
  sigaction(SIGUSR1, &action, nullptr);
  call_everything([] { raise(SIGUSR1); });
  signal(SIGUSR1, SIG_DFL);
}

// Prologues, epilogues, the stubs of calls to libraries, the libraries themselves.
TEST_F(Walking, AgreesAtEveryInstruction) {
  struct sigaction action{};
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = after_instruction;
  sigaction(SIGTRAP, &action, nullptr);
  g_stepped = {};
  call_everything(nothing); // stubs go to the loader the first time: its frame hangs on %rbx
  start_stepping();
  call_everything(nothing);
  stop_stepping();
  signal(SIGTRAP, SIG_DFL);
  EXPECT_GT(g_stepped.instructions, 1000U);
  const Walked &ours = g_stepped.ours;
  const Walked &theirs = g_stepped.theirs;
  EXPECT_EQ(g_stepped.different, 0U) << "first at " << std::hex << g_stepped.first_different;
  EXPECT_EQ(std::vector<uintptr_t>(ours.frames, ours.frames + ours.count),
            std::vector<uintptr_t>(theirs.frames, theirs.frames + theirs.count));
}

TEST_F(Walking, StopsAtTheWantedDepth) {
  uintptr_t frames[3] = {0, 0, 77};
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  EXPECT_EQ(capture_by_tables(frame, frames, 2), 2U);
  EXPECT_EQ(frames[2], 77U);
}

TEST_F(Walking, OnAnotherStackOnlyTheCallerIsKnown) {
  static uintptr_t elsewhere[] = {0x1234, reinterpret_cast<uintptr_t>(&nothing) + 1, 3, 4};
  uintptr_t frames[8];
  EXPECT_EQ(capture_by_tables(reinterpret_cast<uintptr_t>(elsewhere), frames, 8), 1U);
  EXPECT_EQ(frames[0], elsewhere[1]);
}

TEST_F(Walking, AnAddressInNoFileHasNoRule) {
  void *made = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint64_t *place = nullptr;
  const Rule rule = find_rule(reinterpret_cast<uintptr_t>(made) + 100, place);
  EXPECT_TRUE(rule.made);
  EXPECT_FALSE(rule.known);
  munmap(made, 4096);
}

// Whatever the rules say, nothing is read outside the stack.
TEST_F(Walking, NoRuleMakesItFault) {
  uint64_t state = 5;
  const auto random = [&] {
    state = state * 6364136223846793005 + 1442695040888963407;
    return state >> 11;
  };
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  for (int i = 0; i < 300'000; ++i) {
    Walk walk = begin_walk(here);
    if (random() % 2)
      walk.frame = random() % 2 ? random() << (random() % 12) : here + random() % 4096;
    Rule rule{};
    rule.made = rule.known = 1;
    rule.base = random() % 4;
    rule.saved = random() % 4;
    rule.cfa = static_cast<int64_t>(random() % 2 ? random() % 64 : random()) << 40 >> 40;
    rule.saved_at = static_cast<int64_t>(random()) << 50 >> 50;
    for (int depth = 0; depth < 8 && step(walk, rule); ++depth)
      EXPECT_LE(walk.stack, walk.high);
  }
}

TEST_F(Walking, DamagedTablesGiveSomeRuleAndNoFault) {
  FrameTables tables{};
  const auto pc = reinterpret_cast<uintptr_t>(&call_everything) + 9;
  ASSERT_TRUE(find_tables(pc, tables));
  // A copy of all that is loaded up to the end of the tables, with what describes this function
  // damaged.
  const size_t length = tables.high - tables.low;
  auto *copy = static_cast<uint8_t *>(mmap(nullptr, length, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  ASSERT_NE(copy, MAP_FAILED);
  const size_t header =
      static_cast<size_t>(tables.header - reinterpret_cast<uint8_t *>(tables.low));
  const size_t known = std::min<size_t>(length - header, 1 << 20);
  uint64_t state = 11;
  for (int round = 0; round < 300; ++round) {
    std::memcpy(copy + header, tables.header, known);
    for (int flip = 0; flip < 200; ++flip) {
      state = state * 6364136223846793005 + 1442695040888963407;
      copy[header + (state >> 20) % known] ^= static_cast<uint8_t>(state >> 56);
    }
    const auto low = reinterpret_cast<uintptr_t>(copy);
    describe_by({copy + header, low, low + length}, low + (pc - tables.low));
  }
  munmap(copy, length);
}

TEST_F(Walking, NumbersStayWithTheirRules) {
  const auto address = reinterpret_cast<uintptr_t>(&with_both) + 20;
  uint64_t *place = nullptr;
  find_rule(address, place);
  ASSERT_NE(place, nullptr);
  EXPECT_EQ(number_rule(*place, 7), 7);
  EXPECT_EQ(number_rule(*place, 8), 7);
  EXPECT_EQ(find_rule(address, place).number, 7U);
}

} // namespace
} // namespace culprit::unwind
