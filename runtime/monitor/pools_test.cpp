// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools of the program's own: blocks that point into themselves are read as a whole at each point,
// as long as they do; others cost what is marked in them.
#include "runtime/monitor/graph.h"

#include "runtime/monitor/hooks_for_tests.h"
#include "runtime/monitor/point.h"
#include "runtime/monitor/verify.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace culprit::monitor {
namespace {

constexpr size_t kSizes[] = {5000, 48 << 10, 300'000, 1 << 20};

uint64_t mismatches_at_a_point() {
  EXPECT_TRUE(make_point());
  return verify_graph(0, 1);
}

// Read by a point now; gtest's own blocks are always among them.
uint64_t words_read() {
  UpdateCost cost{};
  EXPECT_TRUE(update_graph(cost));
  return cost.scan.words;
}

// Until what was marked or sticky no longer is.
uint64_t words_read_at_rest() {
  for (int i = 0; i < 4; ++i)
    words_read();
  return words_read();
}

char *allocate(size_t size) { return static_cast<char *>(__culprit_malloc(size)); }

TEST(Pools, StoresThatMarkNothingAreSeenAsLongAsThePoolPointsIntoItself) {
  for (size_t size : kSizes) {
    char *pool = allocate(size);
    char *target = allocate(64);
    store(pool, pool + size / 2);
    store(pool + 8, pool + size / 2);
    for (size_t round = 0; round < 20; ++round) {
      char *slot = pool + 16 + round * 1111 % (size / 8 - 2) * 8;
      store(slot, target);
      for (size_t point = 0; point < round; ++point)
        ASSERT_EQ(mismatches_at_a_point(), 0u) << size;
      *reinterpret_cast<int *>(slot + 4) = 7; // as the pass would leave it
      ASSERT_EQ(mismatches_at_a_point(), 0u) << size << ", round " << round;
      if (round == 10)
        store(pool + 8, nullptr); // one is enough
    }
    free(pool);
    free(target);
  }
  EXPECT_EQ(mismatches_at_a_point(), 0u);
}

TEST(Pools, ABlockIsReadAsAWholeOnlyWhileItPointsIntoItself) {
  char *target = allocate(64);
  for (size_t size : kSizes) {
    char *block = allocate(size);
    size_t words = heap::find_object(block).size / sizeof(uintptr_t);
    uint64_t alone = words_read_at_rest();
    store(block + 8, target);
    uint64_t pointing_elsewhere = words_read_at_rest();
    store(block + 16, block);
    uint64_t pool = words_read_at_rest();
    store(block + 16, target);
    uint64_t pool_no_more = words_read_at_rest();
    store(block + 16, block);
    words_read();
    free(block);
    uint64_t gone = words_read_at_rest();
    EXPECT_EQ(pointing_elsewhere, alone) << size;
    EXPECT_EQ(pool, alone + words) << size;
    EXPECT_EQ(pool_no_more, alone) << size;
    EXPECT_EQ(gone, alone) << size;
  }
  free(target);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
}

TEST(Pools, AGrownPoolStaysOne) {
  char *target = allocate(64);
  char *pool = allocate(200'000);
  store(pool, pool + 8);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  ASSERT_EQ(__culprit_realloc(pool, 900'000), pool);
  store(pool + 800'000, target);
  for (int point = 0; point < 5; ++point)
    EXPECT_EQ(mismatches_at_a_point(), 0u);
  *reinterpret_cast<uintptr_t *>(pool + 800'000) = 7;
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  free(pool);
  free(target);
}

} // namespace
} // namespace culprit::monitor
