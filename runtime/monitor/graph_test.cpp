// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The incremental graph against the full scan, over random lives of a heap. This test binary is a
// monitor flavour: it defines the symbol that says so. gtest's own blocks are then those of unseen
// native code.
#include "runtime/monitor/graph.h"

#include "runtime/monitor/edges.h"
#include "runtime/monitor/hooks_for_tests.h"
#include "runtime/monitor/point.h"
#include "runtime/monitor/verify.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

extern "C" const char __culprit_is_monitor;
const char __culprit_is_monitor = 1;

namespace culprit::monitor {
namespace {

struct Degrees {
  uint32_t in;
  uint32_t out;
  bool operator==(const Degrees &) const = default;
};
std::ostream &operator<<(std::ostream &out, Degrees d) {
  return out << "in " << d.in << ", out " << d.out;
}

Degrees degrees(const void *block) {
  const Node &node = g_nodes[ref_of(heap::find_object(block))];
  return {node.in, live_out(node)};
}

uint64_t mismatches_at_a_point() {
  EXPECT_TRUE(make_point());
  return verify_graph(0, 1);
}

char *at(void *block, size_t offset) { return static_cast<char *>(block) + offset; }

TEST(Graph, CountsEachPairOfBlocksOnceAndItselfToo) {
  void *a = __culprit_malloc(40);
  void *b = __culprit_malloc(40);
  store(at(a, 0), b);
  store(at(a, 8), at(b, 17));
  store(at(b, 0), b);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(degrees(a), (Degrees{0, 1}));
  EXPECT_EQ(degrees(b), (Degrees{2, 1}));
  store(at(a, 0), nullptr);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(degrees(a), (Degrees{0, 1}));
  store(at(a, 8), nullptr);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(degrees(a), (Degrees{0, 0}));
  EXPECT_EQ(degrees(b), (Degrees{1, 1}));
  free(a);
  free(b);
}

TEST(Graph, APointerPastTheEndStaysWithItsBlock) {
  void *owner = __culprit_malloc(16);
  void *blocks[8];
  for (void *&block : blocks)
    block = __culprit_malloc(48);
  store(owner, at(blocks[3], 48));
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(degrees(blocks[3]), (Degrees{1, 0}));
  for (void *block : blocks)
    free(block);
  free(owner);
}

TEST(Graph, AStalePointerIsNoEdgeUntilItsBlockLivesAgain) {
  void *a = __culprit_malloc(40);
  void *c = __culprit_malloc(40);
  void *b = __culprit_malloc(1000);
  store(a, b);
  store(c, b);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(degrees(a), (Degrees{0, 1}));
  free(b);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(degrees(a), (Degrees{0, 0}));
  void *again = __culprit_malloc(1000);
  ASSERT_EQ(again, b);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(degrees(a), (Degrees{0, 1}));
  EXPECT_EQ(degrees(c), (Degrees{0, 1}));
  EXPECT_EQ(degrees(b), (Degrees{2, 0}));
  free(a);
  free(b);
  free(c);
}

TEST(Graph, AMissingMarkIsFoundByVerification) {
  void *a = __culprit_malloc(3000); // no card of it is shared with gtest's blocks
  void *b = __culprit_malloc(3000);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  *static_cast<void **>(a) = b; // without its barrier
  EXPECT_GT(mismatches_at_a_point(), 0u);
  __culprit_wrote(a, 8);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  free(a);
  free(b);
}

TEST(Graph, LargeBlocksAreTargetsByAnyOfTheirPages) {
  void *owner = __culprit_malloc(64);
  void *large = __culprit_malloc(1 << 20);
  store(at(owner, 0), large);
  store(at(owner, 8), at(large, 1 << 20));
  store(at(owner, 16), at(large, 300'000));
  store(at(large, 700'000), owner);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(degrees(owner), (Degrees{1, 1}));
  EXPECT_EQ(degrees(large), (Degrees{1, 1}));
  free(large);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(degrees(owner), (Degrees{0, 0}));
  // Two blocks where one was: the same words, two targets.
  void *first = __culprit_malloc(200'000);
  void *second = __culprit_malloc(200'000);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(degrees(owner), (Degrees{0, 2}));
  free(first);
  free(second);
  free(owner);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
}

// Everything at random: sizes of all kinds, links, overwritten links, copies of whole blocks,
// dangling and reused slots, native blocks, several lives between two points.
void live(unsigned seed, unsigned steps, size_t most, unsigned between_points) {
  std::mt19937_64 random(seed);
  struct Block {
    char *start;
    size_t size;
    bool native;
  };
  std::vector<Block> blocks;
  auto pick = [&]() -> Block & { return blocks[random() % blocks.size()]; };
  auto any_size = [&]() -> size_t {
    switch (random() % 16) {
    case 0:
      return 5000 + random() % 20'000;
    case 1:
      return random() % 4 ? 4000 + random() % 300 : 130'000 + random() % 400'000;
    case 2:
    case 3:
      return 200 + random() % 2000;
    default:
      return random() % 100;
    }
  };
  for (unsigned step = 0; step < steps; ++step) {
    __culprit_context = 0x10001 * (1 + random() % 40);
    unsigned action = random() % 16;
    if (blocks.empty() || (action < 4 && blocks.size() < most)) {
      size_t size = any_size();
      bool native = seed % 2 && random() % 32 == 0; // their cards hide missing marks of others
      void *start = native         ? malloc(size)
                    : random() % 8 ? __culprit_malloc(size)
                    : random() % 2 ? __culprit_calloc(1, size)
                                   : __culprit_memalign(64, size);
      ASSERT_NE(start, nullptr);
      blocks.push_back({static_cast<char *>(start), size, native});
    } else if (action < 6) {
      size_t index = random() % blocks.size();
      free(blocks[index].start);
      blocks[index] = blocks.back();
      blocks.pop_back();
    } else if (action == 6) {
      Block &block = pick();
      if (!block.native) {
        block.size = any_size() + 1;
        block.start = static_cast<char *>(__culprit_realloc(block.start, block.size));
      }
    } else if (action == 7 && blocks.size() > 1) {
      Block &from = pick();
      Block &to = pick();
      size_t size = std::min(from.size, to.size);
      memmove(to.start, from.start, size);
      if (!to.native)
        __culprit_wrote(to.start, size);
    } else {
      Block &from = pick();
      Block &to = pick();
      if (from.size < 8)
        continue;
      // Mostly the first words, so that links are overwritten.
      size_t words = from.size / 8;
      size_t word = random() % 4 ? random() % std::min<size_t>(words, 4) : random() % words;
      const char *value = random() % 8 ? to.start + random() % (to.size + 1) : nullptr;
      if (random() % 64 == 0) // stale, wild, odd
        value = to.start + random() % 2'000'000;
      if (from.native)
        memcpy(from.start + word * 8, &value, 8);
      else
        store(from.start + word * 8, value);
    }
    if (random() % between_points == 0)
      ASSERT_EQ(mismatches_at_a_point(), 0u) << "seed " << seed << " step " << step;
  }
  ASSERT_EQ(mismatches_at_a_point(), 0u);
  for (Block &block : blocks)
    free(block.start);
  ASSERT_EQ(mismatches_at_a_point(), 0u);
}

TEST(Graph, AgreesWithAFullScanOverRandomLives) {
  for (unsigned seed = 1; seed <= 12; ++seed)
    live(seed, 6000, seed % 2 ? 60 : 600, 20);
}

TEST(Graph, AgreesWithManyChangesBetweenPoints) {
  for (unsigned seed = 100; seed < 104; ++seed)
    live(seed, 30'000, 3000, 2000);
}

} // namespace
} // namespace culprit::monitor
