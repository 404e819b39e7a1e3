// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/access/blocks.h"

#include "runtime/access/check.h"
#include "runtime/access/exact.h"
#include "runtime/access/objects.h"
#include "runtime/access/unit_for_tests.h"
#include "runtime/heap/allocate.h"
#include "runtime/monitor/allocation.h"
#include "runtime/monitor/contexts.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <string>
#include <vector>

namespace culprit::access {
namespace {

TestUnit &unit() {
  static TestUnit only(0xb10c, {1, 8}, 24, {0, 8, 16}, true);
  static bool entered = (only.enter(), true);
  (void)entered;
  return only;
}

char *make(uint32_t site, size_t size) {
  __culprit_context = unit().site(site);
  return static_cast<char *>(__culprit_malloc(size));
}

const Family &family_at(const char *byte) {
  return g_families[family_of_name(name_of_byte(number(byte)))];
}

TEST(Blocks, SlackBehindABlockHasANameOfItsOwn) {
  char *block = make(1, 24);
  EXPECT_EQ(family_at(block + 23).kind, static_cast<uint32_t>(CULPRIT_NAME_HEAP));
  const Family &slack = family_at(block + 24);
  EXPECT_EQ(slack.kind, static_cast<uint32_t>(CULPRIT_NAME_OUTSIDE));
  EXPECT_EQ(slack.object, family_at(block).object);
  Extent extent = extent_of(number(block + 30), slack.first);
  EXPECT_EQ(extent.start, number(block));
  EXPECT_EQ(extent.size, 24u);
  EXPECT_EQ(name_before(number(block + 30), slack.first, extent), name_of_byte(number(block + 23)));
  EXPECT_EQ(extent_of(number(block + 9), name_of_byte(number(block + 9))).size, 24u);
  heap::free(block);
}

// Two nodes of one name would be neighbours, and an overrun from one into the other unheard of.
TEST(Blocks, EvenANodeOfExactSizeHasSlack) {
  __culprit_context = unit().site(8);
  auto *node = static_cast<char *>(__culprit_malloc_exact(32));
  EXPECT_EQ(family_at(node + 31).kind, static_cast<uint32_t>(CULPRIT_NAME_HEAP));
  EXPECT_EQ(family_at(node + 32).kind, static_cast<uint32_t>(CULPRIT_NAME_OUTSIDE));
  heap::free(node);
}

// Another member is what runs out of such a struct would meet (pass/lone_structs.h).
TEST(Blocks, LoneStructsLieSideBySide) {
  __culprit_context = unit().site(8);
  auto *node = static_cast<char *>(__culprit_malloc_lone(32));
  EXPECT_EQ(heap::find_object(node).size, 32u);
  EXPECT_EQ(named_size(heap::find_object(node)), 32u);
  EXPECT_EQ(family_at(node + 31).kind, static_cast<uint32_t>(CULPRIT_NAME_HEAP));
  heap::free(node);
}

TEST(Blocks, MemoryThatNeverHeldABlockHasAName) {
  char *block = make(9, 20'000); // nobody else uses this class
  char *behind = block + heap::find_object(block).size;
  ASSERT_FALSE(heap::find_object(behind).live);
  EXPECT_EQ(family_at(behind).kind, static_cast<uint32_t>(CULPRIT_NAME_OUTSIDE));
  EXPECT_EQ(family_at(behind).object, 0u);
  heap::free(block);
}

TEST(Blocks, NativeCodesBlocksHaveNoNames) {
  char *block = make(2, 100);
  heap::free(block);
  auto *again = static_cast<char *>(malloc(100));
  EXPECT_EQ(name_of_byte(number(again)), 0u);
  EXPECT_EQ(name_of_byte(number(again + 64)), 0u);
  free(again);
}

TEST(Blocks, AFreedBlockIsNobodysUntilThePlaceIsAnothers) {
  for (size_t size : {24u, 900u}) { // by the pattern, and longer
    char *block = make(3, size);
    Name name = name_of_byte(number(block + 8));
    monitor::release(block);
    for (size_t at : {size_t{0}, size_t{8}, size - 1}) {
      Name freed = name_of_byte(number(block + at));
      EXPECT_EQ(g_families[family_of_name(freed)].kind, static_cast<uint32_t>(CULPRIT_NAME_FREED));
      EXPECT_EQ(name_previously(number(block + 8), freed), name) << "who lived there is known";
    }
    char *again = make(4, size);
    ASSERT_EQ(again, block);
    Name now = name_of_byte(number(block + 8));
    EXPECT_EQ(family_at(block + 8).kind, static_cast<uint32_t>(CULPRIT_NAME_HEAP));
    EXPECT_NE(now, name);
    EXPECT_EQ(name_previously(number(block + 8), now), name);
    monitor::release(again);
  }
}

TEST(Blocks, FreeingTellsTheNamesInEveryWay) {
  auto is_freed = [](const char *address) {
    Name name = name_of_byte(number(address));
    return g_families[family_of_name(name)].kind == CULPRIT_NAME_FREED;
  };
  char *block = make(3, 40);
  free(block);
  EXPECT_TRUE(is_freed(block));
  block = make(3, 300'000);
  free(block);
  EXPECT_TRUE(is_freed(block)) << "a large one";
  EXPECT_TRUE(is_freed(block + 299'999));
  block = make(3, 40);
  __culprit_context = unit().site(7);
  auto *moved = static_cast<char *>(__culprit_realloc(block, 4000));
  EXPECT_TRUE(is_freed(block)) << "realloc, where it moves";
  EXPECT_FALSE(is_freed(moved));
  EXPECT_EQ(__culprit_realloc(moved, 0), nullptr);
  EXPECT_TRUE(is_freed(moved)) << "realloc to nothing";
}

TEST(Blocks, TheBlockBeforeIsNamedOverItsSlack) {
  // Neighbours: the cache hands out a fresh span's blocks one behind the other.
  char *blocks[8];
  for (char *&block : blocks)
    block = make(5, 1000);
  unsigned neighbours = 0;
  for (unsigned i = 1; i < 8; ++i) {
    Extent extent{number(blocks[i]), 1000};
    if (heap::find_object(blocks[i - 1]).start + heap::find_object(blocks[i - 1]).size !=
        extent.start)
      continue;
    ++neighbours;
    Name first = name_of_byte(extent.start);
    EXPECT_EQ(name_before(extent.start, first, extent), name_of_byte(number(blocks[i - 1] + 999)));
    // Inside the block it is the member before.
    EXPECT_EQ(name_before(extent.start + 8, first + 1, extent), first);
  }
  EXPECT_GT(neighbours, 0u);
  for (char *block : blocks)
    heap::free(block);
}

TEST(Blocks, ResizingInPlaceRenames) {
  char *block = make(6, 60);
  Name name = name_of_byte(number(block));
  __culprit_context = unit().site(7);
  auto *again = static_cast<char *>(__culprit_realloc(block, 62));
  EXPECT_EQ(again, block);
  EXPECT_NE(name_of_byte(number(block)), name);
  EXPECT_NE(name_of_byte(number(block + 61)), 0u);
  EXPECT_EQ(family_at(block + 61).kind, static_cast<uint32_t>(CULPRIT_NAME_HEAP));
  EXPECT_EQ(family_at(block + 62).kind, static_cast<uint32_t>(CULPRIT_NAME_OUTSIDE));
  heap::free(again);
}

TEST(Blocks, UsableIsWhatWasAskedFor) {
  for (size_t size : {0u, 1u, 37u, 64u, 5000u, 300'000u}) {
    char *block = make(30, size);
    EXPECT_EQ(malloc_usable_size(block), size);
    heap::free(block);
  }
  void *unseen = malloc(37);
  EXPECT_GE(malloc_usable_size(unseen), 37u);
  free(unseen);
}

// By the flags of its mapping.
bool wants_huge_pages(uintptr_t address) {
  std::ifstream maps("/proc/self/smaps");
  bool is_here = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0;
    unsigned long to = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2)
      is_here = from <= address && address < to;
    else if (is_here && line.starts_with("VmFlags:"))
      return line.find(" hg") != std::string::npos;
  }
  return false;
}

TEST(Blocks, AHeapOfSomeSizeIsOnHugePagesWithItsTags) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"))
    GTEST_SKIP() << "the kernel has none";
  std::vector<char *> blocks;
  for (size_t i = 0; i < 2048; ++i)
    blocks.push_back(make(1, 4000));
  uintptr_t last = number(blocks.back());
  EXPECT_TRUE(wants_huge_pages(last));
  EXPECT_TRUE(wants_huge_pages(reinterpret_cast<uintptr_t>(tags_of(last))));
  int local = 0;
  EXPECT_FALSE(wants_huge_pages(reinterpret_cast<uintptr_t>(tags_of(number(&local)))));
  for (char *block : blocks)
    heap::free(block);
}

// Objects come and go; what is kept grows with the names and sites there are.
TEST(Blocks, ChurnDoesNotGrowTheTables) {
  auto churn = [](unsigned times) {
    char *kept[64] = {};
    for (unsigned i = 0; i < times; ++i) {
      char *&place = kept[i * 7 % 64];
      heap::free(place);
      size_t size = 24 + i % 10 * 24;
      place = make(10 + i % 20, size);
      check_access(number(place + i % size / 8 * 8), 8, 8, unit().row(1));
      check_access(number(place + i % size), 1, 1, unit().row(0));
    }
    for (char *block : kept)
      heap::free(block);
  };
  churn(100'000);
  uint64_t tags = kind_counts().tags;
  uint64_t names = name_count();
  uint64_t pairs = g_pairs.count();
  uint64_t slow = check_counts().slow;
  churn(3'000'000);
  EXPECT_EQ(kind_counts().tags, tags);
  EXPECT_EQ(name_count(), names);
  EXPECT_EQ(g_pairs.count(), pairs);
  EXPECT_LT(check_counts().slow - slow, 100u);
}

} // namespace
} // namespace culprit::access
