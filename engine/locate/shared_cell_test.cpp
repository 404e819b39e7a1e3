// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/shared_cell.h"

#include "engine/locate/member_names.h"
#include "engine/locate/simulated.h"

#include <csignal>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace culprit::locate {
namespace {

// f->row is used, f->kind lies in the same cell and was written last, f->column before it.
struct Flags {
  TableBuilder builder;
  uint32_t row = builder.store(5, "f->row", 1);
  uint32_t column = builder.store(6, "f->column", 1);
  uint32_t kind = builder.store(7, "f->kind", 1);
  Step step;
  std::set<unsigned> reasons = {5}; // lines without which there is no such crash
  std::vector<unsigned> asked;

  Flags() {
    const uint32_t place =
        builder.place(PlaceKind::load, 9, {{"table", Role::base}, {"f.row", Role::index}});
    step.place = builder.tables.place(place);
    step.crash.numbers =
        crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(1, 99), id_at(30, kind)});
    step.suspects.push_back({.candidate = {.id = id_at(30, kind)},
                             .definition = builder.tables.definition(kind),
                             .count = 1,
                             .before = id_at(20, column)});
  }
  std::optional<Suspect> writer() {
    const auto leave_out = [&](uint64_t id) -> Result<Without> {
      const unsigned line = builder.tables.definition(definition_of(id))->at.line;
      asked.push_back(line);
      const uint64_t before = definition_of(id) == column ? id_at(10, row) : id_at(2, column);
      return Without{.crashes = !reasons.contains(line),
                     .left = Fired{.id = id, .count = 4, .before = before}};
    };
    return writer_of_member(step, builder.tables, leave_out).value();
  }
};

TEST(SharedCell, WhoWroteTheMemberThatWasUsedIsFoundBehindItsNeighbours) {
  Flags flags;
  const auto writer = flags.writer();
  ASSERT_TRUE(writer);
  EXPECT_EQ(writer->definition->at.line, 5U);
  EXPECT_EQ(writer->candidate.id, id_at(10, flags.row));
  EXPECT_EQ(writer->count, 4U);
  const std::vector<unsigned> expected = {7, 6, 5};
  EXPECT_EQ(flags.asked, expected);
}

TEST(SharedCell, ANeighbourThatIsTheReasonStays) {
  Flags flags;
  flags.reasons = {7};
  EXPECT_FALSE(flags.writer());
}

TEST(SharedCell, AWriterThatMakesNoDifferenceIsNotReported) {
  Flags flags;
  flags.reasons = {};
  EXPECT_FALSE(flags.writer());
}

TEST(SharedCell, WhoWroteWhatWasUsedIsNotAskedAtAll) {
  Flags flags;
  flags.step.place->leaves[1].name = "f.kind";
  EXPECT_FALSE(flags.writer());
  EXPECT_TRUE(flags.asked.empty());
}

TEST(SharedCell, AWholeCellIsOneMembers) {
  Flags flags;
  flags.step.suspects[0].definition->size = 4;
  EXPECT_FALSE(flags.writer());
  EXPECT_TRUE(flags.asked.empty());
}

TEST(SharedCell, TheLastMemberOfANameIsTheOneMeant) {
  EXPECT_EQ(member_of("list->at.x"), "x");
  EXPECT_EQ(member_of("table[].at->x"), "x");
  EXPECT_EQ(member_of("x"), "");
}

TEST(SharedCell, AConstantInAnotherMemberDoesNotMakeAnIndexSound) {
  TableBuilder builder;
  const uint32_t pixels = builder.definition(DefinitionKind::allocation, 2, "", "calloc");
  const uint32_t seen = builder.store(7, "tile->seen", 1);
  builder.tables.definitions.back().small = true;
  const auto first = [&](const char *name) {
    const uint32_t place =
        builder.place(PlaceKind::load, 9, {{"pixels", Role::base}, {name, Role::index}});
    const Blamed blamed =
        blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(10, pixels), id_at(30, seen)}),
              builder.tables);
    return definition_of(blamed.candidates.front().id);
  };
  EXPECT_EQ(first("tile->picture"), seen);
  EXPECT_EQ(first("tile->seen"), pixels);
}

} // namespace
} // namespace culprit::locate
