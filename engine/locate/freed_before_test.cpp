// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/freed_before.h"

#include "abi/locate.h"

#include <csignal>
#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

constexpr uint64_t at_time(uint64_t time) { return time << CULPRIT_ID_TIME_SHIFT | 7; }

Step crash(uint32_t kind, uint32_t place, ErrorKind error, Part part, uint64_t id,
           std::vector<uint64_t> stack) {
  Step step{.error = error};
  step.crash.numbers.kind = kind;
  step.crash.numbers.place = place;
  step.suspects = {{.candidate = {.id = id, .part = part},
                    .definition = Definition{},
                    .count = {},
                    .stack = std::move(stack)}};
  return step;
}

// An object is deleted too early: a pointer read from it faults.
Step read_of_object() {
  return crash(CULPRIT_CRASH_SIGNAL, 3, ErrorKind::use_after_free, Part::free, at_time(20),
               {0x500, 0x200, 0x100});
}

TEST(FreedBefore, WhatADestructorFreedWentWithItsObject) {
  const Step owned = crash(CULPRIT_CRASH_FREED_WRITE, 0, ErrorKind::use_after_free, Part::free,
                           at_time(19), {0x700, 0x600, 0x501, 0x200, 0x100});
  EXPECT_EQ(freed_before({read_of_object(), owned}, 1), 0U);
}

TEST(FreedBefore, AFreeElsewhereIsAnErrorOfItsOwn) {
  const Step other = crash(CULPRIT_CRASH_FREED_WRITE, 0, ErrorKind::use_after_free, Part::free,
                           at_time(19), {0x700, 0x300, 0x100});
  EXPECT_EQ(freed_before({read_of_object(), other}, 1), std::nullopt);
}

TEST(FreedBefore, AFreeAfterItIsAnErrorOfItsOwn) {
  const Step later = crash(CULPRIT_CRASH_FREED_WRITE, 0, ErrorKind::use_after_free, Part::free,
                           at_time(21), {0x700, 0x600, 0x501, 0x200, 0x100});
  EXPECT_EQ(freed_before({read_of_object(), later}, 1), std::nullopt);
}

TEST(FreedBefore, WhatADestructorFreedInCodeNotSeenWentWithItsObject) {
  Step twice{.error = ErrorKind::double_free};
  twice.crash.numbers.kind = CULPRIT_CRASH_DOUBLE_FREE;
  twice.crash.numbers.freed = at_time(19) | CULPRIT_ID_UNWRITTEN | CULPRIT_ID_BY_PLACE;
  const Definition call{.kind = DefinitionKind::free,
                        .at = {.file = "/src/p.cpp", .line = 5, .function = "_ZN4nodeD2Ev"}};
  twice.suspects = {{.candidate = {.id = at_time(3)}, .definition = Definition{}, .count = {}},
                    {.candidate = {.part = Part::free, .suppress = false, .freed_at = 4},
                     .definition = call,
                     .count = {}}};
  EXPECT_EQ(destroyed_before({read_of_object()}, twice), 0U);
  Step later = twice;
  later.crash.numbers.freed = at_time(21) | CULPRIT_ID_UNWRITTEN | CULPRIT_ID_BY_PLACE;
  EXPECT_EQ(destroyed_before({read_of_object()}, later), std::nullopt);
  Step elsewhere = twice;
  elsewhere.suspects[1].definition->at.function = "_Z5resetv";
  EXPECT_EQ(destroyed_before({read_of_object()}, elsewhere), std::nullopt);
}

// A vector lives in the object; what uses it then frees its elements once more.
TEST(FreedBefore, WhatADestructorFreedInALibrarysHeaderWentWithItsObject) {
  Step twice{.error = ErrorKind::double_free};
  twice.crash.numbers.kind = CULPRIT_CRASH_DOUBLE_FREE;
  twice.crash.numbers.freed = at_time(19);
  const Definition library{.kind = DefinitionKind::free,
                           .at = {.file = "/usr/include/c++/12/bits/new_allocator.h",
                                  .line = 158,
                                  .function = "_ZNSt15__new_allocatorIiE10deallocateEPim"}};
  twice.suspects = {
      {.candidate = {.id = at_time(25)}, .definition = Definition{}, .count = {}},
      {.candidate = {.id = at_time(19), .part = Part::free}, .definition = library, .count = {}}};
  EXPECT_EQ(destroyed_before({read_of_object()}, twice), 0U);
  Step later = twice;
  later.crash.numbers.freed = at_time(21);
  EXPECT_EQ(destroyed_before({read_of_object()}, later), std::nullopt);
  Step own = twice;
  own.suspects[1].definition->at = {.file = "/src/p.cpp", .line = 5, .function = "_Z5resetv"};
  EXPECT_EQ(destroyed_before({read_of_object()}, own), std::nullopt);
}

// A destructor is executed twice: `delete` reads the pointer from freed memory first, and frees it
// twice when the object is kept alive.
TEST(FreedBefore, ADestructorThatIsExecutedTwiceFreesTwiceInOnePlace) {
  const Step bad_free = crash(CULPRIT_CRASH_BAD_FREE, 4, ErrorKind::bad_free, Part::free,
                              at_time(20), {0x200, 0x100});
  const Step twice = crash(CULPRIT_CRASH_DOUBLE_FREE, 4, ErrorKind::double_free, Part::free,
                           at_time(19), {0x900, 0x800});
  EXPECT_EQ(freed_before({bad_free, twice}, 1), 0U);
}

} // namespace
} // namespace culprit::locate
