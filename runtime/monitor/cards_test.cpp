// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread takes a page's marks without pause, another marks cards of the page: whatever the
// processor does to the order of loads and stores, a taking that began after the mark has it.
#include "runtime/monitor/cards.h"

#include "runtime/monitor/hooks_for_tests.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sched.h>
#include <thread>

namespace culprit::monitor {
namespace {

constexpr unsigned kRounds = 20'000;

bool take_page_of(uintptr_t address) {
  auto page = static_cast<uint32_t>((address - heap::g_arena.base) >> heap::kPageShift);
  DirtyPage dirty;
  uint64_t cards = 0;
  return take_dirty(&dirty, 1, 1, page, page + 1, cards) != 0;
}

// The calling thread on its own processor, if there are two: only there stores can be under way.
struct Processors {
  Processors() { sched_getaffinity(0, sizeof all, &all); }
  ~Processors() { sched_setaffinity(0, sizeof all, &all); }
  Processors(const Processors &) = delete;
  Processors &operator=(const Processors &) = delete;

  void use(bool last) const {
    cpu_set_t one;
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &all) && (last || !CPU_COUNT(&one))) {
        CPU_ZERO(&one);
        CPU_SET(i, &one);
      }
    sched_setaffinity(0, sizeof one, &one);
  }

  cpu_set_t all;
};

void pause_for(unsigned steps) {
  for (; steps; --steps)
    __asm__ volatile("");
}

TEST(Cards, AMarkBesideATakingIsNeverLost) {
  auto *block = static_cast<char *>(__culprit_malloc(4 * heap::kPageSize));
  auto page = reinterpret_cast<uintptr_t>(block) + heap::kPageSize;
  Processors processors;
  unsigned takings = 0;
  bool stop = false;
  std::thread taker([&] {
    processors.use(true);
    for (unsigned idle = 0; !__atomic_load_n(&stop, __ATOMIC_ACQUIRE);) {
      idle = take_page_of(page) ? 0 : idle + 1;
      // Seen before the next one begins.
      __atomic_store_n(&takings, takings + 1, __ATOMIC_SEQ_CST);
      if (idle % 4096 == 4095) // with one processor the other must have it
        std::this_thread::yield();
    }
  });
  processors.use(false);
  unsigned lost = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    dirty_in_arena(page + heap::kPageSize / 2); // lets the taker begin
    pause_for(round % 1024);
    dirty_in_arena(page);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    // One may be under way, the one behind it is not.
    unsigned before = __atomic_load_n(&takings, __ATOMIC_ACQUIRE);
    for (unsigned spin = 1; __atomic_load_n(&takings, __ATOMIC_ACQUIRE) - before < 2; ++spin)
      if (spin % 4096 == 0)
        std::this_thread::yield();
    if (__atomic_load_n(card_of(page), __ATOMIC_RELAXED) == CULPRIT_CARD_CLEAN)
      continue;
    ++lost;
    __atomic_store_n(card_of(page), CULPRIT_CARD_CLEAN, __ATOMIC_RELAXED);
  }
  __atomic_store_n(&stop, true, __ATOMIC_RELEASE);
  taker.join();
  EXPECT_EQ(lost, 0u);
  free(block);
}

} // namespace
} // namespace culprit::monitor
