// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/explain/pools.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace culprit::explain {
namespace {

TEST(Pools, AnyAddressBelongsToTheObjectAroundItAndNoOther) {
  const int pool = 0;
  std::map<uintptr_t, size_t> expected;
  std::mt19937 random(7); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same in every run
  for (int step = 0; step < 3000; ++step) {
    const uintptr_t start = 1000 + random() % 500 * 20;
    if (random() % 3 != 0) {
      const size_t size = random() % 20 + 1;
      add_pool_object({start, size, start * 3, &pool, 0});
      expected[start] = size;
    } else {
      remove_pool_object(&pool, start);
      expected.erase(start);
    }
    const uintptr_t asked = 990 + random() % 10100;
    const PoolObject *found = find_pool_object(asked);
    auto after = expected.upper_bound(asked);
    const bool held =
        after != expected.begin() && asked - std::prev(after)->first < std::prev(after)->second;
    ASSERT_EQ(found != nullptr, held) << asked;
    if (found != nullptr) {
      ASSERT_EQ(found->start, std::prev(after)->first);
      ASSERT_EQ(found->index, found->start * 3);
    }
  }
  std::map<uintptr_t, size_t> visited;
  for_each_pool_object([&](const PoolObject &object) { visited[object.start] = object.size; });
  EXPECT_EQ(visited, expected);
}

TEST(Pools, AnotherPoolsObjectIsNotGivenBack) {
  const int mine = 0;
  const int other = 0;
  add_pool_object({50'000, 8, 1, &mine, 0});
  remove_pool_object(&other, 50'000);
  remove_pool_object(&mine, 50'004); // not where it starts
  EXPECT_NE(find_pool_object(50'007), nullptr);
  remove_pool_object(&mine, 50'000);
  EXPECT_EQ(find_pool_object(50'007), nullptr);
}

} // namespace
} // namespace culprit::explain
