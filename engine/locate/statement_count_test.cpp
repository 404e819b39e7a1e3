// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/statement_count.h"

#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

constexpr uint64_t kTick = CULPRIT_TICK;

Tables tables() {
  auto read = parse_tables(R"({
    "strings": ["", "store", "/a.c", "f", "variable"],
    "definitions": [[1, 2, 11, 5, 3, 0, 0], [4, 2, 12, 0, 3, 0, 0]],
    "places": [[1, 2, 11, 5, 3, 4, 0, []]]
  })");
  return std::move(*read);
}

Located located(uint32_t definition, std::optional<uint64_t> count) {
  Located located;
  Step step;
  step.layout = "an order";
  step.suspects.push_back({.candidate = {.id = 7 * kTick | definition},
                           .definition = tables().definition(definition),
                           .count = count});
  located.chain.push_back(std::move(step));
  located.findings.push_back({.step = 0, .confirmed = true});
  return located;
}

TEST(StatementCount, TakesWhatTheRuntimeCounted) {
  Located one = located(1, 2);
  const auto count = [&](const Targets &target, const std::string &layout,
                         uint32_t place) -> Result<Execution> {
    EXPECT_EQ(target.rows(), "1 n 2\n");
    EXPECT_EQ(layout, "an order");
    EXPECT_EQ(place, 1U);
    return Execution{
        .fired = {{.id = 3 * kTick | 2, .count = 5}, {.id = 9 * kTick | 1, .count = 40}}};
  };
  ASSERT_TRUE(count_statement(one, tables(), count));
  EXPECT_EQ(one.chain[0].suspects[0].count, 40U);
  EXPECT_TRUE(one.chain[0].suspects[0].of_statement);
}

TEST(StatementCount, IsNotAskedForWhatIsNoStoreOrWasNeverExecuted) {
  const auto never = [](const Targets &, const std::string &, uint32_t) -> Result<Execution> {
    ADD_FAILURE();
    return Execution{};
  };
  Located none;
  Located variable = located(2, 1);
  Located unknown = located(1, std::nullopt);
  for (Located *one : {&none, &variable, &unknown})
    EXPECT_TRUE(count_statement(*one, tables(), never));
}

TEST(StatementCount, WhatDidNotComeAgainStaysAsItIs) {
  Located one = located(1, 2);
  const auto quiet = [](const Targets &, const std::string &, uint32_t) -> Result<Execution> {
    return Execution{};
  };
  ASSERT_TRUE(count_statement(one, tables(), quiet));
  EXPECT_EQ(one.chain[0].suspects[0].count, 2U);
  EXPECT_FALSE(one.chain[0].suspects[0].of_statement);
}

} // namespace
} // namespace culprit::locate
