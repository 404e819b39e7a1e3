// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/acquittal.h"

#include "engine/locate/simulated.h"

#include <algorithm>
#include <csignal>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace culprit::locate {
namespace {

// A check of an index against a count that went on after the index was made.
struct Check {
  TableBuilder builder;
  Step step{.error = ErrorKind::failed_check};
  uint32_t constructor = builder.store(1, "count", 4);
  std::vector<std::pair<unsigned, uint64_t>> asked; // line, time
  std::set<unsigned> reasons;                       // lines without which there is no such crash

  Check() {
    step.crash.numbers = crash_at(CULPRIT_CRASH_ABORT, 0, 3);
    suspect(builder.store(8, "count", 4, "", /*update=*/true), 50);
    suspect(builder.store(5, "index", 4), 20);
  }
  Suspect &suspect(uint32_t definition, uint64_t time) {
    step.suspects.push_back({.candidate = {.id = id_at(time, definition), .equal = true},
                             .definition = builder.tables.definition(definition),
                             .count = 1,
                             .before = id_at(1, constructor),
                             .address = 0x1000});
    return step.suspects.back();
  }
  std::optional<size_t> answer() {
    const auto ask = [&](const Suspect &suspect, uint64_t time) -> Result<bool> {
      asked.emplace_back(suspect.definition->at.line, time);
      return !reasons.contains(suspect.definition->at.line);
    };
    return better_than_newest(step, builder.tables, ask).value();
  }
};

TEST(Acquittal, ANewerCounterThatMakesNoDifferenceComesAfterTheIndexThatDoes) {
  Check check;
  check.reasons = {5};
  EXPECT_EQ(check.answer(), 1U);
  const std::vector<std::pair<unsigned, uint64_t>> asked = {{8, 21}, {5, 20}};
  EXPECT_EQ(check.asked, asked);
}

TEST(Acquittal, TheNewestStaysIfThereIsNoSuchCrashWithoutIt) {
  Check check;
  check.reasons = {8, 5};
  EXPECT_EQ(check.answer(), std::nullopt);
  EXPECT_EQ(check.asked.size(), 1U);
}

TEST(Acquittal, TheNewestStaysIfNeitherMakesADifference) {
  Check check;
  EXPECT_EQ(check.answer(), std::nullopt);
}

TEST(Acquittal, AnIndexInARegisterComesBeforeACounterThatMakesNoDifference) {
  Check check;
  check.step.suspects[1].address = 0;
  EXPECT_EQ(check.answer(), 1U);
}

TEST(Acquittal, AValueThatReplacedAnotherIsNotAcquittedForOneThatCannotBeAsked) {
  Check check;
  check.step.suspects[0].definition->update = false;
  check.step.suspects[1].address = 0;
  EXPECT_EQ(check.answer(), std::nullopt);
}

TEST(Acquittal, NobodyIsAskedWhatMemoryHeldThatWasNeverWritten) {
  Check check;
  check.step.suspects[0].before =
      id_at(1, check.builder.definition(DefinitionKind::allocation, 2, "", "malloc"));
  check.reasons = {5};
  EXPECT_EQ(check.answer(), std::nullopt);
  EXPECT_TRUE(check.asked.empty());
}

TEST(Acquittal, WhatIsKnownToBeSoundComesNeverFirst) {
  Check check;
  check.step.suspects[1].candidate.equal = false;
  check.reasons = {5};
  EXPECT_EQ(check.answer(), std::nullopt);
}

TEST(Acquittal, ACheckOfALibrarysIsAboutWhatTheProgramAsksFor) {
  Check check;
  check.step.place = Place{};
  check.step.place->at.file = "/usr/include/c++/12/bits/stl_vector.h";
  check.step.suspects[0].address = 0;
  EXPECT_EQ(check.answer(), std::nullopt);
  check.step.suspects[0].definition->at.file = "/usr/include/c++/12/bits/vector.tcc";
  EXPECT_EQ(check.answer(), 1U);
  EXPECT_TRUE(check.asked.empty());
}

TEST(Acquittal, AnAddressNearNullIsAnotherCrash) {
  Step step;
  step.crash.numbers = crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, 3);
  culprit_record_crash crash = step.crash.numbers;
  crash.address += 64;
  EXPECT_TRUE(is_same_crash(crash, step));
  crash.address = 64;
  EXPECT_FALSE(is_same_crash(crash, step));
}

// v.at(i): the end of the vector is newer than the index, and a vector without its end crashes when
// it is destroyed.
TEST(Acquittal, WhatIsSoundAndWasLeftOutAsWellIsNoReasonForWhatCrashesLater) {
  TableBuilder builder;
  const uint32_t constructor = builder.store(1, "end", 8);
  const uint32_t index = builder.store(5, "i", 4);
  const uint32_t end = builder.store(8, "end", 8, "", /*update=*/true);
  const uint32_t block = builder.definition(DefinitionKind::allocation, 7, "", "operator new");
  const uint32_t check =
      builder.place(PlaceKind::stop, 9, {{"i", Role::condition}, {"size()", Role::condition}});
  const uint32_t destroys = builder.place(PlaceKind::free, 10, {{"p", Role::pointer}}, "free");
  std::vector<std::string> asked;
  const auto execute = [&](const Targets &targets, const std::string &) -> Result<Execution> {
    const std::string rows = targets.rows();
    asked.push_back(rows);
    const auto has = [&](uint32_t definition, std::string_view hows) {
      return std::ranges::any_of(hows, [&](char how) {
        return ("\n" + rows).contains("\n" + std::to_string(definition) + " " + how);
      });
    };
    Execution execution{.status = {launch::Ending::exited, 0}};
    for (const auto &[definition, time] : {std::pair(index, 20), std::pair(end, 50)})
      if (has(definition, "tnf"))
        execution.fired.push_back({.id = id_at(static_cast<uint64_t>(time), definition),
                                   .count = 1,
                                   .before = id_at(1, constructor),
                                   .address = 0x1000});
    if (!has(index, "tnfk"))
      execution.crash = run::Crash{
          crash_at(CULPRIT_CRASH_ABORT, SIGABRT, check, {id_at(20, index), id_at(50, end)}), {}};
    if (has(end, "tnf") && !has(block, "tnf"))
      execution.crash =
          run::Crash{crash_at(CULPRIT_CRASH_BAD_FREE, SIGABRT, destroys, {id_at(49, block)}), {}};
    return execution;
  };
  const auto located = iterate(builder.tables, execute, {.acquit = true});
  ASSERT_TRUE(located && located->outcome == Outcome::located);
  ASSERT_EQ(located->chain.size(), 1U);
  EXPECT_EQ(located->chain[0].suspects[0].definition->at.line, 5U);
  EXPECT_TRUE(located->chain[0].suspects[0].candidate.suppress);
  EXPECT_FALSE(located->chain[0].suspects[1].candidate.suppress);
  EXPECT_TRUE(located->chain[0].suspects[1].acquitted);
  EXPECT_EQ(located->executions, asked.size());
}

} // namespace
} // namespace culprit::locate
