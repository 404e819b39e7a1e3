// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/triage/identity.h"

#include "engine/locate/simulated.h"

#include <gtest/gtest.h>

namespace culprit::triage {
namespace {

using locate::DefinitionKind;
using locate::TableBuilder;

TEST(Identity, StaysWhenLinesMove) {
  TableBuilder before;
  const uint32_t a = before.definition(DefinitionKind::store, 10, "p->next", "", {"head"});
  TableBuilder after;
  after.definition(DefinitionKind::free, 3, "", "free");
  after.definition(DefinitionKind::store, 12, "count", "", {"count"});
  const uint32_t b = after.definition(DefinitionKind::store, 40, "p->next", "", {"head"});
  EXPECT_EQ(Identities(before.tables).definition(a), Identities(after.tables).definition(b));
}

TEST(Identity, TellsStatementsApart) {
  TableBuilder program;
  const uint32_t store = program.definition(DefinitionKind::store, 10, "p", "", {"q"});
  const uint32_t other = program.definition(DefinitionKind::store, 10, "p", "", {"r"});
  const uint32_t call = program.definition(DefinitionKind::library, 10, "p", "strcpy", {"q"});
  Identities identities(program.tables);
  EXPECT_NE(identities.definition(store), identities.definition(other));
  EXPECT_NE(identities.definition(store), identities.definition(call));
}

TEST(Identity, OfStatementsThatAreAlikeTheirOrderTells) {
  TableBuilder program;
  const uint32_t second = program.definition(DefinitionKind::constant, 20, "p");
  const uint32_t first = program.definition(DefinitionKind::constant, 10, "p");
  const uint32_t inlined = program.definition(DefinitionKind::constant, 20, "p");
  TableBuilder moved;
  const uint32_t moved_first = moved.definition(DefinitionKind::constant, 110, "p");
  const uint32_t moved_second = moved.definition(DefinitionKind::constant, 120, "p");
  Identities before(program.tables);
  Identities after(moved.tables);
  EXPECT_NE(before.definition(first), before.definition(second));
  EXPECT_EQ(before.definition(second), before.definition(inlined));
  EXPECT_EQ(before.definition(first), after.definition(moved_first));
  EXPECT_EQ(before.definition(second), after.definition(moved_second));
}

TEST(Identity, OfWhatNothingDefinedIsThatOfItsUse) {
  TableBuilder program;
  const uint32_t place = program.place(locate::PlaceKind::load, 7, {{"p", locate::Role::pointer}});
  Identities identities(program.tables);
  locate::Step step;
  step.crash.numbers = locate::crash_at(CULPRIT_CRASH_SIGNAL, 11, place);
  step.suspects.push_back({{.part = locate::Part::missing}, std::nullopt, std::nullopt});
  const auto all = identities.of({step});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0], std::vector{identities.place(place)});
  EXPECT_NE(identities.place(place), identities.place(99));
}

} // namespace
} // namespace culprit::triage
