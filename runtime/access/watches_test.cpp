// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/access/watches.h"

#include "runtime/access/check.h"
#include "runtime/access/exact.h"
#include "runtime/access/records.h"
#include "runtime/access/unit_for_tests.h"
#include "runtime/heap/allocate.h"

#include <gtest/gtest.h>

#include <vector>

namespace culprit::access {
namespace {

struct Call {
  const void *address;
  size_t length;
  int is_write;
};
struct Calls {
  std::vector<Call> list;
};

TestUnit &unit() {
  static TestUnit only(0x3a7c, {4, 4, 4}, 8, {0, 4}, true);
  static bool entered = (only.enter(), true);
  (void)entered;
  return only;
}

void keep_call(const void *address, size_t length, int is_write, const void *where, void *data) {
  EXPECT_NE(where, nullptr);
  static_cast<Calls *>(data)->list.push_back({address, length, is_write});
}

TEST(Watches, EveryAccessToTheRangeIsCalledBackAndToldAsUsual) {
  __culprit_context = unit().site(1);
  auto *block = static_cast<char *>(__culprit_malloc(64));
  check_access(number(block + 16), 4, 4, unit().row(0));
  Calls calls;
  EXPECT_EQ(culprit_watch_on(block + 16, 4, CULPRIT_WATCH_WRITE, keep_call, &calls), 1);
  Name name = name_of_byte(number(block + 16));
  EXPECT_NE(name, 0u); // as before
  for (int i = 0; i < 3; ++i) {
    check_access(number(block + 16), 4, 4, unit().row(0));
    check_access(number(block + 20), 4, 4, unit().row(0)); // beside it
    check_access(number(block + 48), 4, 4, unit().row(0));
  }
  ASSERT_EQ(calls.list.size(), 3u);
  EXPECT_EQ(calls.list[0].address, block + 16);
  EXPECT_EQ(calls.list[0].length, 4u);
  EXPECT_EQ(calls.list[0].is_write, 1);
  check_access(number(block + 16), 4, 4, unit().row(1));
  EXPECT_TRUE(g_pairs.has(unit().row(1), name));
  __culprit_access_range(block, 64, unit().row(2));
  EXPECT_EQ(calls.list.size(), 5u);
  EXPECT_EQ(culprit_watch_off(block + 16, 4, CULPRIT_WATCH_WRITE, keep_call), 1);
  EXPECT_EQ(culprit_watch_off(block + 16, 4, CULPRIT_WATCH_WRITE, keep_call), 0);
  check_access(number(block + 16), 4, 4, unit().row(0));
  EXPECT_EQ(calls.list.size(), 5u);
  EXPECT_EQ(name_of_byte(number(block + 16)), name);
  heap::free(block);
}

TEST(Watches, ABlockAllocatedInTheRangeIsWatched) {
  for (uint32_t site : {3u, 3u, 4u}) { // by pattern and without
    __culprit_context = unit().site(site);
    auto *block = static_cast<char *>(__culprit_malloc(24));
    Calls calls;
    culprit_watch_on(block + 8, 8, CULPRIT_WATCH_WRITE, keep_call, &calls);
    heap::free(block);
    ASSERT_EQ(__culprit_malloc(24), block);
    for (int i = 0; i < 3; ++i)
      check_access(number(block + 8), 4, 4, unit().row(0));
    EXPECT_EQ(calls.list.size(), 3u);
    culprit_watch_off(block + 8, 8, CULPRIT_WATCH_WRITE, keep_call);
    heap::free(block);
    // Nothing of this stays in the patterns.
    ASSERT_EQ(__culprit_malloc(24), block);
    check_access(number(block + 8), 4, 4, unit().row(0));
    EXPECT_EQ(calls.list.size(), 3u);
    EXPECT_FALSE(is_watched_kind(tag_at(number(block))));
    heap::free(block);
  }
}

TEST(Watches, MemoryNobodyNamesCanBeWatched) {
  alignas(16) static char memory[32];
  Calls calls;
  check_access(number(memory), 4, 4, unit().row(0)); // known as unwatched
  EXPECT_EQ(culprit_watch_on(memory, sizeof memory, CULPRIT_WATCH_ALL, keep_call, &calls), 1);
  check_access(number(memory + 4), 4, 4, unit().row(0));
  EXPECT_EQ(calls.list.size(), 1u);
  EXPECT_EQ(culprit_watch_off(memory, sizeof memory, CULPRIT_WATCH_ALL, keep_call), 1);
  EXPECT_EQ(tag_at(number(memory)), kUnwatched);
}

TEST(Watches, NothingIsToldOrCalledWhileSwitchedOff) {
  __culprit_context = unit().site(2);
  auto *block = static_cast<char *>(__culprit_malloc(64));
  Calls calls;
  culprit_watch_on(block, 16, CULPRIT_WATCH_ALL, keep_call, &calls);
  uint64_t told = accesses_told();
  culprit_disable();
  uint64_t slow = check_counts().slow;
  for (int i = 0; i < 100; ++i) {
    check_access(number(block), 4, 4, unit().row(0));
    check_access(number(block + 32), 4, 4, unit().row(0));
  }
  EXPECT_LE(check_counts().slow - slow, 2u);
  EXPECT_EQ(accesses_told(), told);
  EXPECT_TRUE(calls.list.empty());
  culprit_enable();
  check_access(number(block), 4, 4, unit().row(0));
  check_access(number(block + 32), 4, 4, unit().row(0));
  EXPECT_EQ(calls.list.size(), 1u);
  EXPECT_GT(accesses_told(), told);
  culprit_watch_off(block, 16, CULPRIT_WATCH_ALL, keep_call);
  heap::free(block);
}

} // namespace
} // namespace culprit::access
