// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The paper's Figure 7: suppression and other orders of variables in turn.
#include "engine/locate/iteration.h"
#include "engine/locate/simulated.h"

#include <csignal>
#include <deque>
#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

// A program that crashes in an order of variables as long as a definition is not suppressed.
struct Program {
  struct Crash {
    std::string layout;
    culprit_record_crash record;
    uint32_t ended_by; // 0: nothing
  };
  TableBuilder builder;
  std::vector<Crash> crashes;
  std::deque<std::string> orders; // in which the search is told that it crashes

  Result<Located> locate() {
    return iterate(builder.tables,
                   [&](const Targets &targets, const std::string &layout) -> Result<Execution> {
                     Execution execution{.status = {launch::Ending::exited, 0}};
                     for (const Crash &crash : crashes)
                       if (crash.layout == layout && !targets.contains(crash.ended_by) &&
                           !execution.crash)
                         execution.crash = run::Crash{.numbers = crash.record, .addresses = {}};
                     return execution;
                   },
                   {.expose = [&](const Targets &) -> Result<std::optional<std::string>> {
                     if (orders.empty())
                       return std::nullopt;
                     std::string order = orders.front();
                     orders.pop_front();
                     return order;
                   }});
  }
  // A fault for a value of this definition.
  void crash(const std::string &layout, uint64_t time, uint32_t definition, uint32_t ended_by) {
    const uint32_t place = builder.place(PlaceKind::load, 12, {{"p", Role::pointer}});
    crashes.push_back({layout,
                       crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(time, definition)}),
                       ended_by});
  }
};

TEST(Complete, WhatAnotherOrderExposesAfterwardsIsTheFirstCorruption) {
  Program program;
  const uint32_t late = program.builder.definition(DefinitionKind::store, 20);
  const uint32_t early = program.builder.definition(DefinitionKind::store, 4);
  program.crash("", 9, late, late);
  program.crash("a before p", 3, early, early);
  program.orders = {"a before p"};
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::located);
  ASSERT_EQ(located->chain.size(), 2U);
  EXPECT_EQ(located->chain[0].layout, "");
  EXPECT_EQ(located->chain[1].layout, "a before p");
  EXPECT_EQ(located->findings.at(0).step, 1U);
  EXPECT_EQ(located->executions, 4U);
}

TEST(Complete, WhatWasFoundStaysFoundIfAnotherOrderCannotBeResolved) {
  Program program;
  const uint32_t found = program.builder.definition(DefinitionKind::store, 20);
  program.crash("", 9, found, found);
  program.crash("a before p", 9, found, 0); // crashes for what is suppressed already
  program.orders = {"a before p"};
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::located);
  EXPECT_EQ(located->findings.at(0).step, 0U);
  EXPECT_TRUE(located->reason.empty());
  EXPECT_FALSE(located->notes.empty());
}

TEST(Complete, ASilentRunThatNoOrderMakesCrashIsWithoutCorruption) {
  Program program;
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::no_corruption);
  EXPECT_TRUE(located->chain.empty());
}

} // namespace
} // namespace culprit::locate
