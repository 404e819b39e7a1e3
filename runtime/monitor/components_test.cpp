// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/monitor/components.h"

#include "runtime/monitor/hooks_for_tests.h"
#include "runtime/monitor/point.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

namespace culprit::monitor {
namespace {

Components count_now() {
  Components result{};
  EXPECT_TRUE(make_point());
  EXPECT_TRUE(count_components(result));
  return result;
}

TEST(Components, OfARingAndAChain) {
  Components before = count_now();
  std::vector<void *> blocks;
  for (int i = 0; i < 5000; ++i)
    blocks.push_back(__culprit_malloc(24));
  for (size_t i = 0; i < 2000; ++i) // a ring
    store(blocks[i], blocks[(i + 1) % 2000]);
  for (size_t i = 2000; i + 1 < 5000; ++i) // a chain
    store(blocks[i], blocks[i + 1]);
  Components now = count_now();
  // gtest's own blocks are vertexes, too, and the vector's block points to all of ours.
  EXPECT_GE(now.largest, 5000u);
  EXPECT_EQ(now.largest_strong, 2000u);
  EXPECT_GE(now.strong_count, before.strong_count + 3001);
  store(blocks[1999], nullptr);
  EXPECT_LT(count_now().largest_strong, 2000u);
  for (void *block : blocks)
    free(block);
}

// Reachability by doubling a relation: slow, and nothing like Tarjan's method.
struct Model {
  explicit Model(size_t count) : size(count), reach(count, std::vector<bool>(count)) {}
  void close() {
    for (size_t k = 0; k < size; ++k)
      for (size_t i = 0; i < size; ++i)
        if (reach[i][k])
          for (size_t j = 0; j < size; ++j)
            if (reach[k][j])
              reach[i][j] = true;
  }
  size_t classes(size_t &largest) const {
    std::vector<bool> seen(size);
    size_t count = 0;
    largest = 0;
    for (size_t i = 0; i < size; ++i) {
      if (seen[i])
        continue;
      ++count;
      size_t members = 0;
      for (size_t j = 0; j < size; ++j)
        if (i == j || (reach[i][j] && reach[j][i])) {
          seen[j] = true;
          ++members;
        }
      largest = std::max(largest, members);
    }
    return count;
  }
  size_t size;
  std::vector<std::vector<bool>> reach;
};

TEST(Components, AgreeWithTheTransitiveClosureOfRandomGraphs) {
  // Static, so that no block of the test's own points to the vertexes.
  static void *blocks[40];
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    size_t count = 2 + random() % 39;
    Model strong(count);
    Model weak(count);
    Components before = count_now();
    for (size_t i = 0; i < count; ++i)
      blocks[i] = __culprit_malloc(i % 7 ? 64 : 6000);
    size_t edges = random() % (2 * count);
    for (size_t e = 0; e < edges; ++e) {
      size_t from = random() % count;
      size_t to = random() % count;
      // One word per target: no edge of the model is overwritten by another.
      if (from % 7 && to >= 8)
        continue;
      store(static_cast<char *>(blocks[from]) + to * 8, blocks[to]);
      strong.reach[from][to] = true;
      weak.reach[from][to] = weak.reach[to][from] = true;
    }
    Components now = count_now();
    strong.close();
    weak.close();
    size_t largest_strong = 0;
    size_t largest_weak = 0;
    EXPECT_EQ(now.strong_count, before.strong_count + strong.classes(largest_strong));
    EXPECT_EQ(now.count, before.count + weak.classes(largest_weak));
    EXPECT_GE(now.largest_strong, largest_strong);
    EXPECT_GE(now.largest, largest_weak);
    for (size_t i = 0; i < count; ++i)
      free(blocks[i]);
  }
}

} // namespace
} // namespace culprit::monitor
