// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/pairing.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace culprit::locate {
namespace {

// What pair_up promises, looked at one by one.
void expect_all_pairs(const std::vector<size_t> &buffers, const std::vector<size_t> &addresses) {
  std::set<std::pair<size_t, size_t>> wanted;
  for (const size_t buffer : buffers)
    for (const size_t address : addresses)
      if (buffer != address)
        wanted.insert({buffer, address});
  const std::vector<Pairs> orders = pair_up(buffers, addresses);
  std::set<std::pair<size_t, size_t>> met;
  for (const Pairs &order : orders) {
    EXPECT_FALSE(order.empty());
    std::map<size_t, size_t> behind;
    std::set<size_t> placed;
    for (const Pair &pair : order) {
      EXPECT_TRUE(behind.emplace(pair.buffer, pair.address).second);
      EXPECT_TRUE(placed.insert(pair.address).second);
      met.insert({pair.buffer, pair.address});
    }
    for (const auto &[first, second] : behind) {
      size_t at = second;
      for (size_t steps = 0; behind.contains(at); ++steps) {
        ASSERT_LE(steps, behind.size()) << "a ring";
        at = behind[at];
      }
    }
  }
  EXPECT_EQ(met, wanted);
  const std::set<size_t> either(buffers.begin(), buffers.end());
  const bool any_is_both =
      std::ranges::any_of(addresses, [&](size_t one) { return either.contains(one); });
  const size_t most = wanted.empty() ? 0 : std::max(buffers.size(), addresses.size());
  EXPECT_LE(orders.size(), any_is_both ? 2 * most : most);
}

TEST(Pairing, FiveBuffersAndFiveAddressVariablesTakeFiveOrders) {
  const std::vector<size_t> buffers = {0, 1, 2, 3, 4};
  const std::vector<size_t> addresses = {5, 6, 7, 8, 9};
  EXPECT_EQ(pair_up(buffers, addresses).size(), 5U);
  expect_all_pairs(buffers, addresses);
}

TEST(Pairing, WithoutBuffersOrAddressVariablesThereIsNothingToTry) {
  EXPECT_TRUE(pair_up({}, {1, 2}).empty());
  EXPECT_TRUE(pair_up({1, 2}, {}).empty());
  EXPECT_TRUE(pair_up({1}, {1}).empty());
}

TEST(Pairing, EveryPairIsAdjacentInSomeOrderAndTheirNumberIsBounded) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::vector<size_t> buffers;
    std::vector<size_t> addresses;
    const size_t variables = random() % 24;
    const bool may_be_both = random() % 2 == 0;
    for (size_t variable = 0; variable < variables; ++variable) {
      const bool is_buffer = random() % 3 == 0;
      if (is_buffer)
        buffers.push_back(variable);
      if (random() % 3 == 0 && (may_be_both || !is_buffer))
        addresses.push_back(variable);
    }
    expect_all_pairs(buffers, addresses);
  }
}

} // namespace
} // namespace culprit::locate
