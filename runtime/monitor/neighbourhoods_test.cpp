// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which vertexes are examples, and which neighbours they are told with. (graph_test.cpp makes this
// binary a monitor flavour.)
#include "runtime/monitor/neighbourhoods.h"

#include "runtime/monitor/contexts.h"
#include "runtime/monitor/hooks_for_tests.h"
#include "runtime/monitor/point.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace culprit::monitor {
namespace {

void *allocate(uint64_t chain, size_t size) {
  const uint64_t before = __culprit_context;
  __culprit_context = chain;
  void *block = __culprit_calloc(1, size);
  __culprit_context = before;
  return block;
}

void point_to(void *block, size_t word, const void *target) {
  store(static_cast<char *>(block) + word * sizeof(void *), target);
}

// What is told of the vertexes of a chain.
std::vector<Told> told_of(uint64_t chain) {
  struct Found {
    uint32_t context;
    size_t count;
    Told at[64];
  };
  // Static: a vector that grows would change the graph that is told of.
  static Found found;
  found = {find_context(chain), 0, {}};
  EXPECT_TRUE(make_point());
  tell_neighbourhoods(
      1,
      [](void *to, const Told &told) {
        auto &all = *static_cast<Found *>(to);
        if (told.vertex.context == all.context && all.count < std::size(all.at))
          all.at[all.count++] = told;
      },
      &found);
  return {found.at, found.at + found.count};
}

TEST(Neighbourhoods, EachKindHasOneExample) {
  static void *list[9];
  for (void *&node : list)
    node = allocate(0x51, 32);
  for (size_t i = 0; i + 1 < 9; ++i) {
    point_to(list[i], 0, list[i + 1]);
    point_to(list[i + 1], 1, list[i]);
  }
  // In and out: an inner node has two of each, both ends have one, and none is left out.
  std::vector<Told> told = told_of(0x51);
  ASSERT_EQ(told.size(), 2u);
  for (const Told &each : told) {
    EXPECT_EQ(each.vertex.in, each.vertex.out);
    EXPECT_EQ(each.vertex.count, each.vertex.in);
    for (uint32_t i = 0; i < each.vertex.count; ++i) {
      EXPECT_EQ(each.neighbours[i].links, CULPRIT_LINK_IN | CULPRIT_LINK_OUT);
      EXPECT_EQ(each.neighbours[i].context, each.vertex.context);
      EXPECT_EQ(each.neighbours[i].itself, 0);
    }
  }
  // The one in the middle: its neighbours are inner nodes themselves.
  const Told &inner = told[0].vertex.in == 2 ? told[0] : told[1];
  ASSERT_EQ(inner.vertex.count, 2u);
  EXPECT_EQ(inner.neighbours[0].in + inner.neighbours[1].in, 4u);
  for (void *node : list)
    free(node);
}

TEST(Neighbourhoods, OfMorePointersEightOfEachDirectionAreTold) {
  static void *kids[20];
  for (const size_t size : {size_t{256}, size_t{9000}}) { // a wide source, too
    void *hub = allocate(0x52, size);
    for (size_t i = 0; i < 20; ++i) {
      kids[i] = allocate(0x53, 16);
      point_to(hub, i, kids[i]);
      point_to(kids[i], 0, hub);
    }
    std::vector<Told> told = told_of(0x52);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].vertex.in, 20u);
    EXPECT_EQ(told[0].vertex.out, 20u);
    EXPECT_GE(told[0].vertex.count, CULPRIT_NEIGHBOURS_SHOWN);
    EXPECT_LE(told[0].vertex.count, CULPRIT_MOST_NEIGHBOURS);
    // Whichever direction had room: all of them point back.
    for (uint32_t i = 0; i < told[0].vertex.count; ++i)
      EXPECT_EQ(told[0].neighbours[i].links, CULPRIT_LINK_IN | CULPRIT_LINK_OUT);
    for (void *kid : kids)
      free(kid);
    free(hub);
  }
}

TEST(Neighbourhoods, AVertexCanBeItsOwnNeighbour) {
  void *ring = allocate(0x54, 32);
  point_to(ring, 0, ring);
  std::vector<Told> told = told_of(0x54);
  ASSERT_EQ(told.size(), 1u);
  ASSERT_EQ(told[0].vertex.count, 1u);
  EXPECT_EQ(told[0].neighbours[0].itself, 1);
  free(ring);
}

} // namespace
} // namespace culprit::monitor
