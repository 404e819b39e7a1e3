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

TEST(Cards, ALargeRangeIsMarkedAgainAfterItsMarksWereTaken) {
  auto *block = static_cast<char *>(__culprit_malloc(4 * heap::kPageSize));
  auto page = (reinterpret_cast<uintptr_t>(block) + heap::kPageSize) & ~(heap::kPageSize - 1);
  dirty_range(page, heap::kPageSize);
  EXPECT_TRUE(take_page_of(page));
  EXPECT_FALSE(take_page_of(page));
  for (int again = 0; again < 2; ++again) { // the second finds the range marked
    dirty_range(page, heap::kPageSize);
    dirty_range(page + heap::kPageSize / 2, heap::kPageSize / 2);
  }
  EXPECT_TRUE(take_page_of(page));
  // Part of a range taken since.
  dirty_range(page + heap::kPageSize / 2, heap::kPageSize / 2);
  EXPECT_EQ(__atomic_load_n(card_of(page), __ATOMIC_RELAXED), CULPRIT_CARD_CLEAN);
  EXPECT_EQ(__atomic_load_n(card_of(page + heap::kPageSize / 2), __ATOMIC_RELAXED),
            CULPRIT_CARD_DIRTY);
  // More than what was marked.
  dirty_range(page, heap::kPageSize);
  EXPECT_EQ(__atomic_load_n(card_of(page), __ATOMIC_RELAXED), CULPRIT_CARD_DIRTY);
  EXPECT_TRUE(take_page_of(page));
  free(block);
}

// The taking that a mark falls into may swallow it: such a mark is no reason to leave out the next
// one.
TEST(Cards, WhatIsStoredAfterALargeMarkThatATakingSwallowedIsRead) {
  auto *block = static_cast<char *>(__culprit_malloc(4 * heap::kPageSize));
  auto page = (reinterpret_cast<uintptr_t>(block) + heap::kPageSize) & ~(heap::kPageSize - 1);
  auto *word = reinterpret_cast<unsigned *>(page);
  *word = 0;
  constexpr size_t kMarked =
      2048; // worth remembering, and marked while the page's other cards are taken
  Processors processors;
  bool stop = false;
  unsigned takings = 0;
  unsigned read = 0;
  std::thread taker([&] {
    processors.use(true);
    for (unsigned idle = 0; !__atomic_load_n(&stop, __ATOMIC_ACQUIRE);) {
      idle = take_page_of(page) ? 0 : idle + 1;
      if (idle == 0) {
        __atomic_store_n(&read, __atomic_load_n(word, __ATOMIC_SEQ_CST), __ATOMIC_SEQ_CST);
        pause_for(512); // what is stored from here on is for the next one
      }
      __atomic_store_n(&takings, takings + 1, __ATOMIC_SEQ_CST);
      if (idle % 4096 == 4095)
        std::this_thread::yield();
    }
  });
  processors.use(false);
  unsigned lost = 0;
  for (unsigned round = 1; round <= kRounds; ++round) {
    dirty_in_arena(page + heap::kPageSize / 2); // lets the taker begin
    pause_for(round % 256);
    dirty_range(page, kMarked);
    pause_for(round % 61);
    __atomic_store_n(word, round, __ATOMIC_SEQ_CST); // a point waits for it to be visible
    dirty_range(page, kMarked);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    unsigned after = __atomic_load_n(&takings, __ATOMIC_ACQUIRE);
    for (unsigned spin = 1; __atomic_load_n(&takings, __ATOMIC_ACQUIRE) - after < 2; ++spin)
      if (spin % 4096 == 0)
        std::this_thread::yield();
    lost += __atomic_load_n(&read, __ATOMIC_SEQ_CST) != round;
  }
  __atomic_store_n(&stop, true, __ATOMIC_RELEASE);
  taker.join();
  EXPECT_EQ(lost, 0u);
  free(block);
}

} // namespace
} // namespace culprit::monitor
