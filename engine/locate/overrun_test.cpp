// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is blamed for a variable that was overrun in an order with guards beside variables.
#include "abi/layout.h"
#include "engine/locate/blame.h"
#include "engine/locate/simulated.h"

#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

struct Overrun {
  TableBuilder builder;
  uint32_t writer = builder.definition(DefinitionKind::library, 5, "title", "strcpy");
  uint32_t global = builder.definition(DefinitionKind::global, 1, "title");
  uint32_t local = builder.definition(DefinitionKind::variable, 4, "line");

  Blamed blamed(uint64_t block, uint32_t declaration) {
    culprit_record_crash crash = crash_at(CULPRIT_CRASH_GUARD, 0, 0);
    crash.block = block;
    crash.block_size = 16;
    crash.address = block + 16;
    crash.written = id_at(9, writer);
    crash.allocated = declaration;
    return blame(crash, builder.tables);
  }
};

TEST(Overrun, TheWriteIsBlamedWithTheVariableBesideIt) {
  Overrun overrun;
  const Blamed blamed = overrun.blamed(CULPRIT_LAYOUT_ARENA + 64, overrun.global);
  EXPECT_EQ(blamed.error, ErrorKind::global_overflow);
  ASSERT_EQ(blamed.candidates.size(), 2U);
  EXPECT_EQ(blamed.candidates[0].part, Part::writer);
  EXPECT_TRUE(blamed.candidates[0].suppress);
  EXPECT_EQ(blamed.candidates[1].part, Part::allocation);
  EXPECT_FALSE(blamed.candidates[1].suppress);
}

TEST(Overrun, LocalsAreTheStacksWhereverTheyLie) {
  Overrun overrun;
  EXPECT_EQ(overrun.blamed(CULPRIT_LAYOUT_STACK_TOP - 4096, overrun.local).error,
            ErrorKind::stack_overflow);
  EXPECT_EQ(overrun.blamed(CULPRIT_LAYOUT_STACK_TOP - 4096, 0).error, ErrorKind::stack_overflow);
  EXPECT_EQ(overrun.blamed(CULPRIT_LAYOUT_ARENA + 64, overrun.local).error,
            ErrorKind::stack_overflow);
  EXPECT_EQ(overrun.blamed(CULPRIT_LAYOUT_ARENA + 64, 0).error, ErrorKind::global_overflow);
  EXPECT_EQ(overrun.blamed(0x280000001000, 0).error, ErrorKind::heap_overflow);
}

} // namespace
} // namespace culprit::locate
