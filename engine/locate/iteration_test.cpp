// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/iteration.h"

#include "engine/locate/simulated.h"

#include <algorithm>
#include <csignal>
#include <gtest/gtest.h>
#include <sstream>

namespace culprit::locate {
namespace {

// A program in which some executions of definitions make it crash, each crash in turn, as long as
// none of its leaves is suppressed.
struct SimulatedProgram {
  struct Crash {
    culprit_record_crash record;
    std::vector<uint64_t> infected_by = {}; // ids that suppress this crash beside its own leaves
  };
  TableBuilder builder;
  std::map<uint64_t, uint64_t> counts; // which execution of its definition an id is
  std::map<uint64_t, uint64_t> before; // what a target says was there before it
  std::vector<Crash> crashes;
  launch::Status quiet_end = {launch::Ending::exited, 0};
  std::vector<std::string> asked; // the targets of each execution

  uint64_t id(uint64_t time, uint32_t definition, uint64_t count = 1) {
    counts[id_at(time, definition)] = count;
    return id_at(time, definition);
  }

  bool suppressed(const std::string &rows, uint64_t id) const {
    std::istringstream in(rows);
    uint32_t definition = 0;
    char how = 0;
    uint64_t number = 0;
    while (in >> definition >> how >> number) {
      if (definition != definition_of(id))
        continue;
      const uint64_t count = counts.contains(id) ? counts.at(id) : 0;
      if (how == 'a' || (how == 't' && time_of(id) == number) ||
          (how == 's' && time_of(id) >= number) || (how == 'n' && count == number) ||
          (how == 'f' && count >= number))
        return true;
    }
    return false;
  }

  Execution run(const Targets &targets) {
    const std::string rows = targets.rows();
    asked.push_back(rows);
    Execution execution{.status = quiet_end};
    for (const auto &[one, count] : counts)
      if (suppressed(rows, one)) // as the runtime: more than once is told, too
        execution.fired.push_back({.id = one | CULPRIT_ID_CORRUPT,
                                   .count = count,
                                   .before = before.contains(one) ? before.at(one) : 0});
    for (const Crash &crash : crashes) {
      std::vector<uint64_t> needed = crash.infected_by;
      for (const uint64_t leaf : crash.record.leaves)
        if (leaf != 0)
          needed.push_back(leaf);
      for (const uint64_t part : {crash.record.written, crash.record.freed})
        if (part != 0)
          needed.push_back(part);
      if (std::ranges::any_of(needed, [&](uint64_t one) { return suppressed(rows, one); }))
        continue;
      execution.crash = run::Crash{crash.record, {}};
      execution.status = {launch::Ending::signalled, SIGSEGV};
      return execution;
    }
    return execution;
  }

  Result<Located> locate(IterationOptions options = {}) {
    return iterate(
        builder.tables,
        [this](const Targets &targets, const std::string &) -> Result<Execution> {
          return run(targets);
        },
        options);
  }
};

std::vector<unsigned> lines(const Located &located, size_t finding = 0) {
  std::vector<unsigned> all;
  for (const Suspect &suspect : located.chain[located.findings.at(finding).step].suspects)
    all.push_back(suspect.definition ? suspect.definition->at.line : 0);
  return all;
}

// The paper's Figure 1: c is computed from what *q2 overwrote, and q2 should not point there.
SimulatedProgram figure_1() {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint32_t p2 = builder.definition(DefinitionKind::store, 2, "p2");
  const uint32_t q2 = builder.definition(DefinitionKind::store, 4, "q2");
  const uint32_t content = builder.definition(DefinitionKind::store, 8, "*q2");
  const uint32_t c = builder.definition(DefinitionKind::store, 11, "c");
  const uint32_t gone = builder.definition(DefinitionKind::free, 14, "", "free");
  const uint64_t first = program.id(2, p2);
  const uint64_t pointer = program.id(4, q2);
  const uint64_t value = program.id(8, content);
  const uint64_t index = program.id(11, c);
  const uint64_t freed = program.id(14, gone);
  const uint32_t line_12 = builder.place(PlaceKind::store, 12, {{"c", Role::index}});
  const uint32_t line_13 = builder.place(PlaceKind::load, 13, {{"*p2", Role::index}});
  const uint32_t line_15 = builder.place(PlaceKind::free, 15, {{"q2", Role::pointer}}, "free");
  program.crashes.push_back(
      {crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, line_12, {index}), {value, pointer}});
  program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, line_13, {value}), {pointer}});
  culprit_record_crash twice = crash_at(CULPRIT_CRASH_DOUBLE_FREE, 0, line_15, {pointer});
  twice.freed = freed;
  twice.freed_leaf = first;
  program.crashes.push_back({twice});
  return program;
}

TEST(Iteration, FindsTheFirstCorruptionOfThePapersFigure1) {
  SimulatedProgram program = figure_1();
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::located);
  EXPECT_EQ(located->executions, 4u);
  EXPECT_EQ(lines(*located), (std::vector<unsigned>{4, 14}));
  ASSERT_EQ(located->chain.size(), 3u);
  EXPECT_EQ(located->chain[0].suspects[0].definition->at.line, 11u);
  EXPECT_EQ(located->chain[1].suspects[0].definition->at.line, 8u);
  EXPECT_EQ(located->chain[2].suspects[0].count, 1u);
  EXPECT_EQ(program.asked[0], "");
  EXPECT_EQ(program.asked[1], "4 t 11\n");
  EXPECT_EQ(program.asked[2], "3 t 8\n4 n 1\n");
  EXPECT_EQ(program.asked[3], "2 t 4\n3 n 1\n4 n 1\n");
  EXPECT_TRUE(located->findings[0].confirmed);
}

TEST(Iteration, OneErrorThatExplainsAllCrashesIsOneFinding) {
  SimulatedProgram program = figure_1();
  const auto located = program.locate({.all = true});
  ASSERT_TRUE(located);
  EXPECT_EQ(located->findings.size(), 1u);
  EXPECT_EQ(located->executions, 5u); // with q2 alone suppressed
  EXPECT_EQ(program.asked.back(), "2 n 1\n");
}

TEST(Iteration, TwoErrorsAreTwoFindings) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint64_t one = program.id(5, builder.definition(DefinitionKind::store, 5));
  const uint64_t other = program.id(9, builder.definition(DefinitionKind::store, 9));
  const uint32_t place = builder.place(PlaceKind::load, 12, {{"p", Role::pointer}});
  program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {one})});
  program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {other})});
  const auto located = program.locate({.all = true});
  ASSERT_TRUE(located);
  ASSERT_EQ(located->findings.size(), 2u);
  EXPECT_EQ(lines(*located, 0), (std::vector<unsigned>{5}));
  EXPECT_EQ(lines(*located, 1), (std::vector<unsigned>{9}));
}

// Two crashes, the first by what was made at time 5.
SimulatedProgram two_errors_in_turn(uint64_t second_made) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint64_t one = program.id(5, builder.definition(DefinitionKind::store, 5));
  const uint64_t other = program.id(second_made, builder.definition(DefinitionKind::store, 9));
  const uint32_t first = builder.place(PlaceKind::load, 6, {{"p", Role::pointer}});
  const uint32_t second = builder.place(PlaceKind::load, 10, {{"q", Role::pointer}});
  program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, first, {one})});
  program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, second, {other})});
  return program;
}

TEST(Iteration, WhatIsMadeAfterTheReasonForTheFirstCrashIsAnotherError) {
  SimulatedProgram program = two_errors_in_turn(9);
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(lines(*located), std::vector<unsigned>{5});
  EXPECT_EQ(located->executions, 4U); // the last one with the other alone suppressed
  EXPECT_EQ(located->quiet, 3U);
  EXPECT_EQ(program.asked.back(), "2 n 1\n");
  EXPECT_TRUE(located->chain.at(1).apart);
  EXPECT_FALSE(located->chain.at(0).apart);
}

TEST(Iteration, WhatIsMadeBeforeItIsItsReasonAsInThePaper) {
  SimulatedProgram program = two_errors_in_turn(4);
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(lines(*located), std::vector<unsigned>{9});
  EXPECT_EQ(located->executions, 3U);
}

TEST(Iteration, WhatEndsTheCrashIsItsReasonWheneverItSeemsToBeMade) {
  SimulatedProgram program = two_errors_in_turn(9);
  program.crashes.front().infected_by = {id_at(9, 2)};
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(lines(*located), std::vector<unsigned>{9});
  EXPECT_FALSE(located->chain.at(1).apart);
}

TEST(Iteration, AllErrorsBeginWithTheReasonForTheCrashThatWasMet) {
  SimulatedProgram program = two_errors_in_turn(9);
  const auto located = program.locate({.all = true});
  ASSERT_TRUE(located);
  ASSERT_EQ(located->findings.size(), 2U);
  EXPECT_EQ(lines(*located, 0), std::vector<unsigned>{5});
  EXPECT_EQ(lines(*located, 1), std::vector<unsigned>{9});
}

TEST(Iteration, NoCrashIsNoCorruption) {
  SimulatedProgram program;
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::no_corruption);
  EXPECT_EQ(located->executions, 1u);
  EXPECT_TRUE(located->chain.empty());
}

// A loop that runs past the end of its buffer: every execution from the 33rd on.
TEST(Iteration, ALoopPastItsEndIsSuppressedFromItsFirstBadExecutionOn) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint32_t write = builder.definition(DefinitionKind::store, 8, "name[]");
  for (uint64_t i = 33; i < 43; ++i) {
    culprit_record_crash crash = crash_at(CULPRIT_CRASH_GUARD, 0, 0);
    crash.block = 0x1000;
    crash.block_size = 32;
    crash.address = 0x1000 + i - 1;
    crash.written = program.id(i * 4, write, i);
    program.crashes.push_back({crash});
  }
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::located);
  EXPECT_EQ(located->executions, 2u);
  EXPECT_EQ(program.asked[1], "1 s 132\n");
  EXPECT_EQ(located->chain.at(0).suspects[0].count, 33u);
  EXPECT_TRUE(located->findings.at(0).onward);
}

// A value that goes bad in a loop: each further execution of its definition is blamed in turn.
TEST(Iteration, ADefinitionBlamedAgainIsSuppressedFromItsFirstBadExecutionOn) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint32_t index = builder.definition(DefinitionKind::store, 8, "i");
  const uint32_t place = builder.place(PlaceKind::store, 12, {{"i", Role::index}});
  for (uint64_t i = 33; i < 43; ++i)
    program.crashes.push_back(
        {crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {program.id(i * 4, index, i)})});
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->executions, 3u);
  EXPECT_EQ(program.asked[1], "1 t 132\n");
  EXPECT_EQ(program.asked[2], "1 f 33\n");
  EXPECT_EQ(located->findings.at(0).step, 0u);
  EXPECT_TRUE(located->findings.at(0).onward);
}

TEST(Iteration, WhoOnlyRepeatsAnOverflowIsNotItsFirstPoint) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_GUARD, 0, 0);
  crash.block = 0x1000;
  crash.block_size = 6;
  crash.address = 0x1006;
  for (const uint32_t line : {24U, 25U}) {
    crash.written = program.id(line, builder.definition(DefinitionKind::library, line));
    program.crashes.push_back({crash});
  }
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->executions, 3u);
  EXPECT_EQ(lines(*located), (std::vector<unsigned>{24}));
}

TEST(Iteration, WhoWroteBeneathAnOverflowIsItsFirstPoint) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_SMASHED, 0, 0);
  for (const uint32_t line : {25U, 24U}) { // the later one hides the other until it is suppressed
    crash.written = program.id(line, builder.definition(DefinitionKind::store, line));
    program.crashes.push_back({crash});
  }
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(lines(*located), (std::vector<unsigned>{24}));
}

TEST(Iteration, OfTwoBlocksThatWereOverrunTheFirstWriteIsTheFirstPoint) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  for (const uint32_t line : {15U, 16U}) { // the block that is freed first was overrun first
    culprit_record_crash crash = crash_at(CULPRIT_CRASH_GUARD, 0, 0);
    crash.block = line * 0x1000;
    crash.block_size = 8;
    crash.address = crash.block + 8;
    crash.written = program.id(line, builder.definition(DefinitionKind::store, line));
    program.crashes.push_back({crash});
  }
  const auto one = program.locate();
  ASSERT_TRUE(one);
  EXPECT_EQ(one->executions, 3U);
  EXPECT_EQ(lines(*one), (std::vector<unsigned>{15}));
  const auto all = program.locate({.all = true});
  ASSERT_TRUE(all);
  ASSERT_EQ(all->findings.size(), 2U);
  EXPECT_EQ(lines(*all, 0), (std::vector<unsigned>{15}));
  EXPECT_EQ(lines(*all, 1), (std::vector<unsigned>{16}));
}

TEST(Iteration, AFaultByWhatWasMadeAfterAnOverrunIsNotTheFirstPoint) {
  const auto reported = [](uint64_t made) {
    SimulatedProgram program;
    TableBuilder &builder = program.builder;
    culprit_record_crash overrun = crash_at(CULPRIT_CRASH_GUARD, 0, 0);
    overrun.block = 0x1000;
    overrun.block_size = 464;
    overrun.address = 0x11d0;
    overrun.written = program.id(30, builder.definition(DefinitionKind::store, 16));
    program.crashes.push_back({overrun});
    const uint32_t place = builder.place(PlaceKind::load, 22, {{"x", Role::index}});
    const uint64_t index = program.id(made, builder.definition(DefinitionKind::store, 21));
    program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {index})});
    return lines(*program.locate());
  };
  EXPECT_EQ(reported(50), (std::vector<unsigned>{16}));
  EXPECT_EQ(reported(20), (std::vector<unsigned>{21})); // may be why the block was overrun
}

// A value of this id leads astray; what the target is that made it is told by the next execution.
struct TargetThatOverran {
  TableBuilder builder;
  Execution first;
  Execution second;

  void crash_by(uint64_t id, const char *pointer, const Fired &fired) {
    const uint32_t place = builder.place(PlaceKind::load, 46, {{pointer, Role::pointer}});
    first.crash = run::Crash{crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id}), {}};
    second.fired = {fired};
  }
  ErrorKind error() const {
    unsigned executions = 0;
    const auto located = iterate(builder.tables,
                                 [&](const Targets &, const std::string &) -> Result<Execution> {
                                   return executions++ == 0 ? first : second;
                                 },
                                 {});
    return located->chain.at(0).error;
  }
};

TEST(Iteration, AStoreThatLeftItsMemberOrVariableIsAnOverflowOfThat) {
  TargetThatOverran overran;
  TableBuilder &builder = overran.builder;
  const uint64_t stored = id_at(4, builder.store(14, "tag[]", 1));
  Tables::DefinitionRow &row = builder.tables.definitions.back();
  overran.crash_by(stored, "things", {.id = stored, .count = 9, .address = 0x1008});
  overran.second.astray = {{{stored, 0x1008, 1}, {0x401000}}};
  EXPECT_EQ(overran.error(), ErrorKind::wild_access); // what it was meant for is not known
  row.member = true;
  EXPECT_EQ(overran.error(), ErrorKind::intra_object_overflow);
  row.member = false;
  row.object = builder.text("tag");
  EXPECT_EQ(overran.error(), ErrorKind::global_overflow);
  row.local = true;
  EXPECT_EQ(overran.error(), ErrorKind::stack_overflow);
  overran.second.astray = {{{stored, 0x2000, 1}, {0x401000}}}; // a copy of it, elsewhere
  EXPECT_EQ(overran.error(), ErrorKind::wild_access);
}

TEST(Iteration, ALibraryFunctionThatLeftItsVariableIsAnOverflowWhateverComesOfIt) {
  TargetThatOverran overran;
  TableBuilder &builder = overran.builder;
  const uint64_t copied =
      id_at(4, builder.definition(DefinitionKind::library, 12, "hotel", "strcpy"));
  overran.crash_by(copied, "owner", {.id = copied, .count = 1});
  EXPECT_EQ(overran.error(), ErrorKind::wild_access);
  overran.second.astray = {{{copied, 0x1000, 1}, {0x401000}}};
  EXPECT_EQ(overran.error(), ErrorKind::global_overflow);
  builder.tables.definitions.back().local = true;
  EXPECT_EQ(overran.error(), ErrorKind::stack_overflow);
  builder.tables.definitions.back().size = 16; // of the member it is meant for
  EXPECT_EQ(overran.error(), ErrorKind::intra_object_overflow);
  overran.second.astray.clear();
  EXPECT_EQ(overran.error(), ErrorKind::wild_access);
}

TEST(Iteration, ATargetThatTellsWhoWroteBeforeItComesSecond) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint32_t copy = builder.definition(DefinitionKind::library, 30, "packed", "strcpy");
  const uint64_t id = program.id(40, builder.store(38, "*at", 1), 7);
  program.before[id] = id_at(9, copy);
  const uint32_t place = builder.place(PlaceKind::load, 46, {{"method", Role::pointer}});
  program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id})});
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->executions, 2u);
  EXPECT_EQ(lines(*located), (std::vector<unsigned>{30, 38}));
  EXPECT_EQ(located->chain.at(0).suspects.at(1).count, 7u);
}

TEST(Iteration, ALibraryFunctionThatWroteBeforeATargetHasLeftItsArray) {
  const auto error = [](const char *object, const char *meant) {
    SimulatedProgram program;
    TableBuilder &builder = program.builder;
    const uint32_t copy = builder.definition(DefinitionKind::library, 30, "packed", "strcpy");
    builder.tables.definitions.back().object = builder.text(object);
    const uint64_t id = program.id(40, builder.store(38, "*at", 1, meant), 7);
    program.before[id] = id_at(9, copy);
    const uint32_t place = builder.place(PlaceKind::load, 46, {{"method", Role::pointer}});
    program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id})});
    return program.locate()->chain.at(0).error;
  };
  EXPECT_EQ(error("packed", ""), ErrorKind::global_overflow);
  EXPECT_EQ(error("packed", "packed"), ErrorKind::wild_access); // both are where they belong
  EXPECT_EQ(error("", ""), ErrorKind::wild_access);             // what it is meant for is not known
}

TEST(Iteration, WhatAFreedBlockHeldBeforeIsNoReasonToReadIt) {
  SimulatedProgram program;
  const uint64_t cleared =
      program.id(3, program.builder.definition(DefinitionKind::store, 7, "p->next"));
  const uint64_t freed =
      program.id(4, program.builder.definition(DefinitionKind::free, 8, "", "free"));
  const uint32_t place = program.builder.place(PlaceKind::load, 12, {{"p->next", Role::pointer}});
  const auto crash = [&](uint64_t leaf) {
    SimulatedProgram::Crash one{crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {leaf}), {}};
    one.record.address = 8;
    return one;
  };
  program.crashes = {crash(freed), crash(cleared)};
  const auto located = program.locate({.all = true});
  ASSERT_TRUE(located);
  ASSERT_EQ(located->findings.size(), 1U);
  EXPECT_EQ(located->chain[located->findings[0].step].suspects[0].candidate.id, freed);
  EXPECT_EQ(located->chain[located->findings[0].step].error, ErrorKind::use_after_free);
}

TEST(Iteration, AFaultThatComesAgainWhereAnOverrunWasNoticedIsTheBlocks) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint32_t place = builder.place(PlaceKind::load, 53, {{"rank[]", Role::pointer}});
  culprit_record_crash noticed = crash_at(CULPRIT_CRASH_GUARD, SIGSEGV, place);
  noticed.block = 0x1000;
  noticed.block_size = 40;
  noticed.address = 0x1028;
  noticed.allocated = program.id(2, builder.definition(DefinitionKind::allocation, 26));
  noticed.written = program.id(33, builder.definition(DefinitionKind::store, 33));
  program.crashes.push_back({noticed});
  const uint64_t other = program.id(50, builder.definition(DefinitionKind::library, 50));
  program.crashes.push_back(
      {crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {other}), {noticed.allocated}});
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->executions, 3u);
  EXPECT_EQ(lines(*located), (std::vector<unsigned>{33, 26}));
}

TEST(Iteration, ARecursionThatDoesNotEndEitherIsUnresolved) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint32_t place = builder.place(PlaceKind::load, 12, {{"n", Role::pointer}});
  const uint64_t id = program.id(5, builder.definition(DefinitionKind::store, 5));
  program.crashes.push_back({crash_at(CULPRIT_CRASH_EXHAUSTED, SIGSEGV, place, {id})});
  program.crashes.push_back({crash_at(CULPRIT_CRASH_EXHAUSTED, SIGSEGV, 0)});
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::unresolved);
  EXPECT_EQ(located->executions, 2u);
}

TEST(Iteration, AnEndlessLoopIsLocatedByWhatItGoesRoundBy) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint32_t place = builder.place(PlaceKind::load, 12, {{"n", Role::pointer}});
  const uint64_t id = program.id(5, builder.definition(DefinitionKind::store, 5));
  program.crashes.push_back({crash_at(CULPRIT_CRASH_ENDLESS, 0, place, {id})});
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::located);
  EXPECT_EQ(lines(*located), (std::vector<unsigned>{5}));
}

TEST(Iteration, ALoopThatHasNoEndOnlyUnderSuppressionIsAnEnd) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint32_t place = builder.place(PlaceKind::load, 12, {{"n", Role::pointer}});
  const uint64_t first = program.id(5, builder.definition(DefinitionKind::store, 5));
  const uint64_t second = program.id(6, builder.definition(DefinitionKind::store, 6));
  program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {first})});
  program.crashes.push_back({crash_at(CULPRIT_CRASH_ENDLESS, 0, place, {second})});
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::located);
  EXPECT_EQ(lines(*located), (std::vector<unsigned>{5}));
  EXPECT_EQ(located->notes.size(), 1u);
}

TEST(Iteration, ExecutionsThatDoNotEndAreNotRepeatedForLong) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint32_t place = builder.place(PlaceKind::load, 12, {{"n", Role::pointer}});
  for (uint32_t line = 1; line <= 20; ++line) {
    const uint64_t id = program.id(line, builder.definition(DefinitionKind::store, line));
    program.crashes.push_back({crash_at(CULPRIT_CRASH_ENDLESS, 0, place, {id})});
  }
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::unresolved);
  EXPECT_EQ(located->executions, 5u);
}

TEST(Iteration, AValueThatNothingDefinedIsLocatedWithoutProof) {
  SimulatedProgram program;
  const uint32_t place = program.builder.place(PlaceKind::load, 12, {{"*p", Role::pointer}});
  program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {0})});
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::located);
  EXPECT_EQ(located->executions, 1u);
  EXPECT_FALSE(located->findings.at(0).confirmed);
}

TEST(Iteration, WhatUnseenCodeHasFreedIsLocatedWithoutProof) {
  SimulatedProgram program;
  const uint32_t place = program.builder.place(PlaceKind::call, 7, {}, "~string");
  culprit_record_crash read = crash_at(CULPRIT_CRASH_FREED_READ, 0, 0);
  read.freed = id_at(5, place) | CULPRIT_ID_UNWRITTEN | CULPRIT_ID_BY_PLACE;
  program.crashes = {{read, {}}};
  const auto located = program.locate();
  ASSERT_TRUE(located);
  ASSERT_EQ(located->outcome, Outcome::located);
  EXPECT_FALSE(located->findings.front().confirmed);
  EXPECT_EQ(lines(*located), (std::vector<unsigned>{7}));
  EXPECT_EQ(located->executions, 1u);
}

TEST(Iteration, AValueThatIsMissingUnderSuppressionLeavesWhatWasFound) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint32_t place = builder.place(PlaceKind::load, 12, {{"p", Role::pointer}});
  const uint64_t id = program.id(5, builder.definition(DefinitionKind::store, 5));
  program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id})});
  program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {0})});
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::located);
  EXPECT_EQ(lines(*located), (std::vector<unsigned>{5}));
  EXPECT_FALSE(located->findings.at(0).confirmed);
}

TEST(Iteration, ABlockThatManyOverrunTakesThreeExecutions) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint32_t block = builder.definition(DefinitionKind::allocation, 2);
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_GUARD, 0, 0);
  crash.block = 0x1000;
  crash.block_size = 6;
  crash.address = 0x1006;
  crash.allocated = program.id(2, block);
  for (uint32_t line = 20; line < 30; ++line) {
    crash.written = program.id(line, builder.definition(DefinitionKind::store, line));
    program.crashes.push_back({crash, {crash.allocated}});
  }
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::located);
  EXPECT_EQ(located->executions, 3u);
  EXPECT_EQ(lines(*located), (std::vector<unsigned>{20, 2}));
}

TEST(Iteration, ACrashThatNothingIsBlamedForIsUnresolved) {
  SimulatedProgram program;
  program.crashes.push_back({crash_at(CULPRIT_CRASH_EXHAUSTED, SIGSEGV, 0)});
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::unresolved);
  EXPECT_FALSE(located->reason.empty());
  EXPECT_TRUE(located->findings.empty());
  EXPECT_EQ(located->chain.size(), 1u);
}

TEST(Iteration, ASuppressedDefinitionThatIsBlamedAgainIsUnresolved) {
  SimulatedProgram program;
  const uint32_t variable = program.builder.definition(DefinitionKind::variable, 3, "p");
  const uint32_t place = program.builder.place(PlaceKind::load, 12, {{"p", Role::pointer}});
  const auto located = iterate(
      program.builder.tables,
      [&](const Targets &, const std::string &) -> Result<Execution> {
        return Execution{
            .crash = run::Crash{crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {variable}), {}}};
      },
      {});
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::unresolved);
  EXPECT_EQ(located->executions, 2u);
}

TEST(Iteration, TheSearchIsBounded) {
  SimulatedProgram program;
  TableBuilder &builder = program.builder;
  const uint32_t place = builder.place(PlaceKind::load, 12, {{"p", Role::pointer}});
  for (uint32_t i = 1; i < 20; ++i)
    program.crashes.push_back(
        {crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place,
                  {program.id(i, builder.definition(DefinitionKind::store, i))})});
  const auto located = program.locate({.executions = 5});
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::unresolved);
  EXPECT_EQ(located->executions, 5u);
  EXPECT_EQ(located->chain.size(), 5u);
}

TEST(Iteration, ATimeOutUnderSuppressionIsNoCrash) {
  SimulatedProgram program;
  const uint64_t id = program.id(5, program.builder.definition(DefinitionKind::store, 5));
  const uint32_t place = program.builder.place(PlaceKind::load, 12, {{"p", Role::pointer}});
  program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id})});
  program.quiet_end = {launch::Ending::timed_out, 0};
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::located);
  ASSERT_EQ(located->notes.size(), 1u);
  EXPECT_NE(located->notes[0].find("execution 2 timed out"), std::string::npos);
}

TEST(Iteration, ATimeOutOfTheFirstExecutionIsUnresolved) {
  SimulatedProgram program;
  program.quiet_end = {launch::Ending::timed_out, 0};
  const auto located = program.locate();
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::unresolved);
}

TEST(Iteration, WhereACopyOverranABlockIsToldByTheExecutionWithoutIt) {
  TableBuilder builder;
  const uint64_t copied = id_at(4, builder.definition(DefinitionKind::allocation, 12));
  Execution first{.crash = run::Crash{crash_at(CULPRIT_CRASH_GUARD, 0, 0), {}}};
  first.crash->numbers.written = copied;
  Execution second{
      .fired = {{.id = copied, .count = 1}},
      .astray = {{{id_at(9, 1), 0x2000, 1}, {0x402000}}, {{0, 0x1000, 1}, {0x401000}}}};
  const auto copy = [&] {
    unsigned executions = 0;
    const auto located = iterate(builder.tables,
                                 [&](const Targets &, const std::string &) -> Result<Execution> {
                                   return executions++ == 0 ? first : second;
                                 },
                                 {});
    return located->chain.at(0).suspects.at(0).copied;
  };
  EXPECT_EQ(copy(), (std::vector<uint64_t>{0x401000})); // left out: no id but that it is corrupt
  second.astray.push_back({{copied, 0x1000, 1}, {0x403000}});
  EXPECT_EQ(copy(), (std::vector<uint64_t>{0x403000}));
  builder.tables.definitions[0].kind = DefinitionKind::library; // writes itself
  EXPECT_EQ(copy(), (std::vector<uint64_t>()));
}

TEST(Iteration, AnOrderOfVariablesThatCrashesGoesOn) {
  SimulatedProgram program;
  const uint64_t id = program.id(5, program.builder.definition(DefinitionKind::store, 5));
  const uint32_t place = program.builder.place(PlaceKind::load, 12, {{"p", Role::pointer}});
  program.crashes.push_back({crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id})});
  bool asked = false;
  const auto located =
      iterate(program.builder.tables,
              [&](const Targets &targets, const std::string &layout) -> Result<Execution> {
                return layout.empty() ? Execution{} : program.run(targets);
              },
              {.expose = [&](const Targets &) -> Result<std::optional<std::string>> {
                if (asked)
                  return std::nullopt;
                asked = true;
                return "name before suffix";
              }});
  ASSERT_TRUE(located);
  EXPECT_EQ(located->outcome, Outcome::located);
  EXPECT_EQ(located->executions, 3u);
  EXPECT_EQ(located->chain.at(0).layout, "name before suffix");
}

} // namespace
} // namespace culprit::locate
