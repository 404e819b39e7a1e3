// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/strayed.h"

#include "engine/locate/simulated.h"

#include <csignal>
#include <gtest/gtest.h>
#include <vector>

namespace culprit::locate {
namespace {

// A number that was copied over one half of a pointer.
struct Copied {
  TableBuilder builder;
  uint32_t number = builder.definition(DefinitionKind::call, 5, "", "atoi");
  Suspect suspect;
  Step step;
  Execution execution;

  Copied() {
    suspect = {.candidate = {.id = id_at(20, number), .role = Role::base},
               .definition = builder.tables.definition(number),
               .count = 1};
    step.crash.numbers = crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, 3, {id_at(20, number)});
    step.crash.numbers.clock = id_at(40, 0);
    step.assembled = culprit_record_assembled{id_at(20, number), 0x1000};
    step.suspects.push_back(suspect);
    for (const uint64_t time : {25, 30, 50})
      execution.brought.push_back({{id_at(time, 0), 0x1000, 1}, {0x400000 + time}});
  }
  std::vector<uint64_t> by() const { return brought_by(suspect, step, execution); }
};

TEST(Strayed, WhoCopiedAPieceOverAPointerLastBeforeTheCrashHasPutItThere) {
  EXPECT_EQ(Copied().by(), std::vector<uint64_t>{0x400000 + 30});
}

TEST(Strayed, AWholePointerIsWhereItBelongs) {
  Copied copied;
  copied.step.assembled.reset();
  EXPECT_TRUE(copied.by().empty());
}

TEST(Strayed, AnIndexIsANumber) {
  Copied copied;
  copied.suspect.candidate.role = Role::index;
  EXPECT_TRUE(copied.by().empty());
}

TEST(Strayed, WhatIsCopiedOverAReturnAddressIsToldUnlessAStatementHasWrittenItThere) {
  Copied copied;
  copied.step.assembled.reset();
  copied.step.crash.numbers.kind = CULPRIT_CRASH_SMASHED;
  copied.suspect.candidate.part = Part::writer;
  EXPECT_TRUE(watches_damage(copied.step));
  EXPECT_EQ(copied.by(), std::vector<uint64_t>{0x400000 + 30});
  copied.step.suspects[0].definition->kind = DefinitionKind::store;
  EXPECT_FALSE(watches_damage(copied.step));
  EXPECT_TRUE(copied.by().empty());
}

} // namespace
} // namespace culprit::locate
