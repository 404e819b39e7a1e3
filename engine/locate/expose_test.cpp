// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/expose.h"

#include "engine/locate/simulated.h"

#include <csignal>
#include <gtest/gtest.h>
#include <set>

namespace culprit::locate {
namespace {

Variables two_pairs() {
  Variables variables;
  variables.globals = {
      {{.name = "a", .size = 8, .is_buffer = true}, {0}},
      {{.name = "p", .size = 8, .alignment = 8, .is_address = true}, {0}},
      {{.name = "q", .size = 8, .alignment = 8, .is_address = true}, {0}},
  };
  return variables;
}

Execution crashed(uint32_t kind = CULPRIT_CRASH_SIGNAL) {
  Execution execution;
  execution.crash = run::Crash{.numbers = crash_at(kind, SIGSEGV, 0), .addresses = {}};
  return execution;
}

// A program that crashes in the n-th orders (from 1) it is executed in.
struct Program {
  std::set<size_t> crashes;
  uint32_t kind = CULPRIT_CRASH_SIGNAL;
  size_t executed = 0;

  Reordering reordering(size_t orders = 30) {
    return {two_pairs(),
            [this](const Targets &, const Arrangement &order,
                   std::vector<bool> *entered) -> Result<Execution> {
              EXPECT_NE(order.rows.empty(), order.contents == 0);
              if (entered != nullptr)
                *entered = {true};
              return crashes.contains(++executed) ? crashed(kind) : Execution{};
            },
            {.orders = orders, .on_order = {}}};
  }
};

TEST(Reordering, OrdersAreTriedUntilOneCrashes) {
  Program program{.crashes = {7}};
  Reordering reordering = program.reordering();
  const auto found = reordering.expose({});
  ASSERT_TRUE(found && *found);
  EXPECT_EQ(**found, "a before q");
  EXPECT_EQ(reordering.tried(), 3U);
  EXPECT_NE(reordering.order(**found), nullptr);
  EXPECT_TRUE(reordering.take_crash());
  EXPECT_FALSE(reordering.take_crash());
}

TEST(Reordering, AskedAgainItGoesOnWithTheOrdersLeft) {
  Program program{.crashes = {1, 7}};
  Reordering reordering = program.reordering();
  EXPECT_EQ(reordering.expose({}).value(), "guard words beside every variable");
  EXPECT_EQ(reordering.expose({}).value(), "a before q");
  EXPECT_EQ(reordering.expose({}).value(), std::nullopt);
  EXPECT_EQ(program.executed, 7U);
}

TEST(Reordering, AHealthyProgramIsExecutedInEveryOrderAndNoMoreThanAsked) {
  Program healthy;
  EXPECT_EQ(healthy.reordering().expose({}).value(), std::nullopt);
  EXPECT_EQ(healthy.executed, 7U);
  Program bounded;
  EXPECT_EQ(bounded.reordering(2).expose({}).value(), std::nullopt);
  EXPECT_EQ(bounded.executed, 2U);
}

TEST(Reordering, WhatMemoryHoldsThatNobodyHasWrittenIsVariedBeforePairs) {
  Program program{.crashes = {2, 3, 4, 5}};
  Reordering reordering = program.reordering();
  for (const uint64_t contents : {CULPRIT_CONTENTS_ZERO, CULPRIT_CONTENTS_LEFT,
                                  CULPRIT_CONTENTS_APART, CULPRIT_CONTENTS_READ}) {
    const auto found = reordering.expose({});
    ASSERT_TRUE(found && *found);
    EXPECT_TRUE(has_other_contents(**found));
    ASSERT_NE(reordering.order(**found), nullptr);
    EXPECT_EQ(reordering.order(**found)->contents, contents);
  }
  EXPECT_EQ(reordering.tried(), 1U); // they are no orders of variables
}

TEST(Reordering, WithoutVariablesContentsAreVariedAllTheSame) {
  size_t executed = 0;
  Reordering reordering({},
                        [&](const Targets &, const Arrangement &order, std::vector<bool> *) {
                          EXPECT_NE(order.contents, 0U);
                          ++executed;
                          return Result<Execution>(Execution{});
                        },
                        {.orders = 30, .on_order = {}});
  EXPECT_EQ(reordering.expose({}).value(), std::nullopt);
  EXPECT_EQ(executed, 4U);
  EXPECT_EQ(reordering.tried(), 0U);
}

TEST(Reordering, AFullStackExposesNothing) {
  Program program{.crashes = {1, 2, 3}, .kind = CULPRIT_CRASH_EXHAUSTED};
  EXPECT_EQ(program.reordering().expose({}).value(), std::nullopt);
}

} // namespace
} // namespace culprit::locate
