// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large blocks while points come at the worst moment. What the heap hands out again is zeroed
// outside its lock, so another thread's point may read what an earlier block left there. Here the
// memory is made inaccessible first: zeroing it faults, and the handler of the fault makes the
// point, in the same place each time.
#include "runtime/monitor/edges.h"
#include "runtime/monitor/hooks_for_tests.h"
#include "runtime/monitor/point.h"
#include "runtime/monitor/verify.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <sys/mman.h>

namespace culprit::monitor {
namespace {

constexpr size_t kPage = heap::kPageSize;

uint64_t mismatches_at_a_point() {
  EXPECT_TRUE(make_point());
  return verify_graph(0, 1);
}

uint32_t out_degree(const void *block) {
  return live_out(g_nodes[ref_of(heap::find_object(block))]);
}

char *allocate(size_t size) { return static_cast<char *>(__culprit_malloc(size)); }
char *reallocate(char *block, size_t size) {
  return static_cast<char *>(__culprit_realloc(block, size));
}

// The next access to these bytes makes a point before it goes on.
struct PointAtAccess {
  PointAtAccess(char *start, size_t size) {
    place = this;
    at = start;
    bytes = size;
    struct sigaction action{};
    action.sa_sigaction = [](int, siginfo_t *information, void *) {
      auto *address = static_cast<char *>(information->si_addr);
      if (address < place->at || address >= place->at + place->bytes)
        abort();
      mprotect(place->at, place->bytes, PROT_READ | PROT_WRITE);
      place->made = make_point();
      place->seen_targets = out_degree(place->at);
    };
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &before);
    mprotect(at, bytes, PROT_NONE);
  }
  ~PointAtAccess() {
    mprotect(at, bytes, PROT_READ | PROT_WRITE);
    sigaction(SIGSEGV, &before, nullptr);
  }
  PointAtAccess(const PointAtAccess &) = delete;
  PointAtAccess &operator=(const PointAtAccess &) = delete;

  static PointAtAccess *place;
  char *at;
  size_t bytes;
  struct sigaction before{};
  bool made = false;
  uint32_t seen_targets = 0; // of the block, at that point
};
PointAtAccess *PointAtAccess::place;

TEST(LargeVertexes, WhatAPointReadWhileTheBlockWasBeingZeroedIsForgotten) {
  char *target = allocate(64);
  char *first = allocate(4 * kPage - 1);
  store(first + kPage + 8, target);
  free(first);
  char *again;
  {
    PointAtAccess meanwhile(first, 4 * kPage);
    again = allocate(4 * kPage - 1);
    ASSERT_EQ(again, first);
    ASSERT_TRUE(meanwhile.made);
    ASSERT_EQ(meanwhile.seen_targets, 1u) << "the point came too late to be a test";
  }
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(out_degree(again), 0u);
  store(again + 8, target);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(out_degree(again), 1u);
  free(again);
  free(target);
}

TEST(LargeVertexes, WhatAPointReadWhileTheBlocksEndWasBeingZeroedIsForgotten) {
  char *target = allocate(64);
  char *block = allocate(3 * kPage - 1);
  char *next = allocate(3 * kPage - 1);
  ASSERT_EQ(next, block + 3 * kPage);
  store(next + kPage + 8, target);
  store(block + 8, target);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  free(next);
  {
    PointAtAccess meanwhile(next, 3 * kPage);
    ASSERT_EQ(reallocate(block, 6 * kPage - 1), block);
    ASSERT_TRUE(meanwhile.made);
  }
  store(block + 8, nullptr);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(out_degree(block), 0u);
  free(block);
  free(target);
}

TEST(LargeVertexes, ABlockThatShrankAndGrewBetweenTwoPointsIsReadAgain) {
  char *target = allocate(64);
  char *block = allocate(8 * kPage - 1);
  store(block + 7 * kPage, target);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(out_degree(block), 1u);
  ASSERT_EQ(reallocate(block, 3 * kPage - 1), block);
  ASSERT_EQ(reallocate(block, 8 * kPage - 1), block);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(out_degree(block), 0u);
  free(block);
  free(target);
}

TEST(LargeVertexes, ABlockBornBeforeAPointThatGaveUpKeepsItsEdges) {
  char *target = allocate(64);
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  char *block = allocate(4 * kPage - 1);
  store(block + 8, target);
  heap::lock_large(); // as somebody who was interrupted in there
  EXPECT_FALSE(make_point());
  heap::unlock_large();
  EXPECT_EQ(mismatches_at_a_point(), 0u);
  EXPECT_EQ(out_degree(block), 1u);
  free(block);
  free(target);
}

} // namespace
} // namespace culprit::monitor
