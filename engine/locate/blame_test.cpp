// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/blame.h"

#include "abi/locate.h"
#include "engine/locate/simulated.h"

#include <csignal>
#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

std::vector<uint64_t> ids(const Blamed &blamed) {
  std::vector<uint64_t> all;
  for (const Candidate &candidate : blamed.candidates)
    all.push_back(candidate.id);
  return all;
}

using Ids = std::vector<uint64_t>;

TEST(Blame, TheMostRecentOfSeveralLeavesIsFirst) {
  TableBuilder builder;
  const uint32_t base = builder.definition(DefinitionKind::allocation, 2);
  const uint32_t index = builder.definition(DefinitionKind::store, 11, "c");
  const uint32_t place =
      builder.place(PlaceKind::store, 12, {{"intArray", Role::base}, {"c", Role::index}});
  const Blamed blamed =
      blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(5, base), id_at(90, index)}),
            builder.tables);
  EXPECT_EQ(ids(blamed), (Ids{id_at(90, index), id_at(5, base)}));
  EXPECT_EQ(blamed.error, ErrorKind::wild_access);
  EXPECT_TRUE(blamed.candidates[0].suppress);
  EXPECT_TRUE(blamed.candidates[1].suppress);
  EXPECT_EQ(blamed.candidates[0].name, "c");
  EXPECT_EQ(blamed.candidates[0].role, Role::index);
}

TEST(Blame, ASmallConstantIsNoReasonBesideAPointer) {
  TableBuilder builder;
  const uint32_t pointer = builder.definition(DefinitionKind::store, 3, "cursor");
  const uint32_t start = builder.definition(DefinitionKind::store, 11, "i");
  builder.tables.definitions.back().small = true;
  const uint32_t handed = builder.definition(DefinitionKind::constant, 14);
  builder.tables.definitions.back().small = true;
  const uint32_t place =
      builder.place(PlaceKind::load, 12, {{"cursor", Role::base}, {"i", Role::index}});
  for (const uint32_t constant : {start, handed})
    EXPECT_EQ(ids(blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place,
                                 {id_at(5, pointer), id_at(90, constant)}),
                        builder.tables)),
              (Ids{id_at(5, pointer), id_at(90, constant)}));
  // What a check compares with is none either; but a flag that was set may be what it asks for.
  const uint32_t check =
      builder.place(PlaceKind::stop, 15, {{"count", Role::condition}, {"most", Role::condition}});
  EXPECT_EQ(ids(blame(crash_at(CULPRIT_CRASH_ABORT, SIGABRT, check,
                               {id_at(5, pointer), id_at(90, handed)}),
                      builder.tables)),
            (Ids{id_at(5, pointer), id_at(90, handed)}));
  EXPECT_EQ(ids(blame(crash_at(CULPRIT_CRASH_ABORT, SIGABRT, check,
                               {id_at(5, pointer), id_at(90, start)}),
                      builder.tables)),
            (Ids{id_at(90, start), id_at(5, pointer)}));
}

TEST(Blame, OfTheDecidingPartsOfACheckTheLastOneIsFirst) {
  TableBuilder builder;
  const uint32_t depth = builder.definition(DefinitionKind::store, 3, "depth");
  const uint32_t mode = builder.definition(DefinitionKind::store, 11, "mode");
  const uint32_t check =
      builder.place(PlaceKind::stop, 15, {{"depth", Role::condition}, {"mode", Role::guard}});
  EXPECT_EQ(
      ids(blame(crash_at(CULPRIT_CRASH_ABORT, SIGABRT, check, {id_at(5, depth), id_at(90, mode)}),
                builder.tables)),
      (Ids{id_at(5, depth), id_at(90, mode)}));
}

TEST(Blame, APointerThatALibraryFunctionRanOverIsFirst) {
  TableBuilder builder;
  const uint32_t text = builder.definition(DefinitionKind::library, 3, "title", "strcpy");
  const uint32_t index = builder.definition(DefinitionKind::store, 11, "i");
  const uint32_t place =
      builder.place(PlaceKind::load, 12, {{"table", Role::base}, {"i", Role::index}});
  const culprit_record_crash crash =
      crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(5, text), id_at(90, index)});
  // Where it is not known what it was meant for, it may have been this.
  EXPECT_EQ(ids(blame(crash, builder.tables)), (Ids{id_at(90, index), id_at(5, text)}));
  builder.tables.definitions[text - 1].size = 16; // a member
  EXPECT_EQ(ids(blame(crash, builder.tables)), (Ids{id_at(5, text), id_at(90, index)}));
}

TEST(Blame, APointerJustAllocatedLeadsSomewhereUnlessItWasNeverWritten) {
  TableBuilder builder;
  const uint32_t index = builder.definition(DefinitionKind::store, 3, "k");
  const uint32_t block = builder.definition(DefinitionKind::allocation, 11, "", "malloc");
  const uint32_t place =
      builder.place(PlaceKind::load, 12, {{"copy", Role::base}, {"k", Role::index}});
  culprit_record_crash crash =
      crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(90, block), id_at(5, index)});
  crash.address = 0x280100000000;
  EXPECT_EQ(ids(blame(crash, builder.tables)), (Ids{id_at(5, index), id_at(90, block)}));
  crash.address = UINT64_MAX; // what a fresh block is filled with is no address
  EXPECT_EQ(ids(blame(crash, builder.tables)), (Ids{id_at(90, block), id_at(5, index)}));
  crash.address = 8; // there was no memory left
  EXPECT_EQ(ids(blame(crash, builder.tables)), (Ids{id_at(90, block), id_at(5, index)}));
}

TEST(Blame, AReadOfAFreedBlockIsBlamedOnTheFree) {
  TableBuilder builder;
  const uint32_t gone = builder.definition(DefinitionKind::free, 5);
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_FREED_READ, 0, 0);
  crash.freed = id_at(10, gone);
  const Blamed blamed = blame(crash, builder.tables);
  EXPECT_EQ(blamed.error, ErrorKind::use_after_free);
  EXPECT_EQ(ids(blamed), (Ids{id_at(10, gone)}));
}

TEST(Blame, OfEqualTimesTheBaseIsFirst) {
  TableBuilder builder;
  const uint32_t a = builder.definition(DefinitionKind::global, 1);
  const uint32_t b = builder.definition(DefinitionKind::global, 2);
  const uint32_t place =
      builder.place(PlaceKind::load, 12, {{"base", Role::base}, {"i", Role::index}});
  EXPECT_EQ(ids(blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {b, a}), builder.tables)),
            (Ids{b, a}));
}

TEST(Blame, AValueComputedFromWhatNobodyHasWrittenIsBlamedOnThat) {
  TableBuilder builder;
  const uint32_t gone = builder.definition(DefinitionKind::free, 7);
  const uint32_t made = builder.definition(DefinitionKind::allocation, 3, "", "malloc");
  const uint32_t declared = builder.definition(DefinitionKind::variable, 2, "c");
  const uint32_t base = builder.definition(DefinitionKind::store, 11);
  const uint32_t place =
      builder.place(PlaceKind::load, 12, {{"t", Role::base}, {"k", Role::index}});
  const uint32_t check = builder.place(PlaceKind::stop, 14, {{"k", Role::condition}});
  const auto blamed_for = [&](uint64_t id) {
    return blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place,
                          {id_at(90, base), id | CULPRIT_ID_UNWRITTEN | CULPRIT_ID_DERIVED}),
                 builder.tables);
  };
  const Blamed of_freed = blamed_for(id_at(5, gone));
  EXPECT_EQ(of_freed.error, ErrorKind::use_after_free);
  EXPECT_EQ(ids(of_freed), (Ids{id_at(5, gone), id_at(90, base)}));
  EXPECT_TRUE(of_freed.candidates[0].origin);
  EXPECT_TRUE(of_freed.candidates[0].suppress);
  EXPECT_FALSE(of_freed.candidates[1].suppress); // the other may be as it should
  EXPECT_EQ(blamed_for(id_at(5, made)).error, ErrorKind::uninitialised_read);
  EXPECT_EQ(ids(blamed_for(declared)), (Ids{declared, id_at(90, base)}));
  EXPECT_EQ(blamed_for(declared).error, ErrorKind::uninitialised_read);
  // Whatever it led to: a check that failed, a division.
  EXPECT_EQ(
      blame(crash_at(CULPRIT_CRASH_ABORT, SIGABRT, check, {id_at(5, gone) | CULPRIT_ID_UNWRITTEN}),
            builder.tables)
          .error,
      ErrorKind::use_after_free);
}

TEST(Blame, WhatUnseenCodeHasFreedIsToldByThePlaceThatCalledIt) {
  TableBuilder builder;
  const uint32_t index = builder.definition(DefinitionKind::store, 11);
  const uint32_t call = builder.place(PlaceKind::call, 9, {{"owner", Role::pointer}}, "~string");
  const uint32_t place =
      builder.place(PlaceKind::store, 12, {{"i", Role::base}, {"hash", Role::index}});
  const uint64_t freed = id_at(5, call) | CULPRIT_ID_UNWRITTEN | CULPRIT_ID_BY_PLACE;
  const Blamed blamed = blame(
      crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(90, index), freed}), builder.tables);
  EXPECT_EQ(blamed.error, ErrorKind::use_after_free);
  ASSERT_EQ(ids(blamed), (Ids{0, id_at(90, index)}));
  EXPECT_EQ(blamed.candidates[0].freed_at, call);
  EXPECT_EQ(blamed.candidates[0].part, Part::free);
  EXPECT_FALSE(blamed.candidates[0].suppress);
  EXPECT_TRUE(blamed.candidates[1].suppress);
}

TEST(Blame, ABlockThatUnseenCodeHasFreedIsToldByThatPlaceAsWell) {
  TableBuilder builder;
  // Its number is no definition's: that of a place.
  const uint32_t store = builder.definition(DefinitionKind::variable, 11);
  const uint32_t call = builder.place(PlaceKind::call, 9, {{"owner", Role::pointer}}, "~string");
  ASSERT_EQ(store, call);
  for (const uint32_t kind : {CULPRIT_CRASH_FREED_READ, CULPRIT_CRASH_FREED_WRITE}) {
    culprit_record_crash crash = crash_at(kind, 0, 0);
    crash.freed = id_at(5, call) | CULPRIT_ID_UNWRITTEN | CULPRIT_ID_BY_PLACE;
    const Blamed blamed = blame(crash, builder.tables);
    EXPECT_EQ(blamed.error, ErrorKind::use_after_free);
    ASSERT_EQ(blamed.candidates.size(), 1);
    EXPECT_EQ(blamed.candidates[0].freed_at, call);
    EXPECT_EQ(blamed.candidates[0].part, Part::free);
    EXPECT_FALSE(blamed.candidates[0].suppress);
  }
}

TEST(Blame, ACopyThatGoesOnToWhereNoMemoryIsIsBlamedItself) {
  TableBuilder builder;
  const uint32_t length = builder.definition(DefinitionKind::store, 3, "n");
  const uint32_t block = builder.definition(DefinitionKind::allocation, 4, "", "malloc");
  const uint32_t copy = builder.definition(DefinitionKind::library, 5, "", "memcpy");
  const uint32_t place = builder.place(
      PlaceKind::call, 5, {{"to", Role::pointer}, {"from", Role::pointer}, {"n", Role::argument}},
      "memcpy");
  Tables::PlaceRow &row = builder.tables.places.back();
  const Tables::DefinitionRow &made = builder.tables.definitions.back();
  row.file = made.file;
  row.column = made.column;
  row.function = made.function;
  row.callee = made.callee;
  culprit_record_crash crash =
      crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(7, block), 0, id_at(90, length)});
  crash.clock = id_at(95, 0);
  crash.block = 0x123450000;
  crash.block_size = 16;
  crash.allocated = id_at(7, block);
  const Blamed blamed =
      blame(crash, builder.tables, {.freed_by = {}, .nowhere = 0, .somewhere = 3});
  EXPECT_EQ(blamed.error, ErrorKind::heap_overflow);
  EXPECT_EQ(blamed.candidates.front().id, id_at(95, copy));
  EXPECT_EQ(blamed.candidates.front().part, Part::writer);
  EXPECT_TRUE(blamed.candidates.front().suppress);
  for (size_t i = 1; i < blamed.candidates.size(); ++i)
    EXPECT_FALSE(blamed.candidates[i].suppress);
  // A pointer that leads nowhere is the reason itself.
  EXPECT_NE(
      ids(blame(crash, builder.tables, {.freed_by = {}, .nowhere = 2, .somewhere = 1})).front(),
      id_at(95, copy));
  // Not known: the fault was none of the call's.
  EXPECT_NE(ids(blame(crash, builder.tables)).front(), id_at(95, copy));
}

TEST(Blame, AValueFromAFreedBlockIsBlamedOnTheFree) {
  TableBuilder builder;
  const uint32_t gone = builder.definition(DefinitionKind::free, 7);
  const uint32_t index = builder.definition(DefinitionKind::store, 11);
  const uint32_t place =
      builder.place(PlaceKind::load, 12, {{"p->next", Role::base}, {"i", Role::index}});
  const Blamed blamed =
      blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(5, gone), id_at(90, index)}),
            builder.tables);
  EXPECT_EQ(blamed.error, ErrorKind::use_after_free);
  EXPECT_EQ(blamed.candidates.front().id, id_at(5, gone));
  EXPECT_EQ(blamed.candidates.front().part, Part::free);
}

TEST(Blame, AVariableNeverWrittenIsBlamedOnItsDeclaration) {
  TableBuilder builder;
  const uint32_t variable = builder.definition(DefinitionKind::variable, 3, "p");
  const uint32_t index = builder.definition(DefinitionKind::store, 11);
  const uint32_t place =
      builder.place(PlaceKind::load, 12, {{"p", Role::base}, {"i", Role::index}});
  const Blamed blamed = blame(
      crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {variable, id_at(90, index)}), builder.tables);
  EXPECT_EQ(blamed.error, ErrorKind::uninitialised_read);
  EXPECT_EQ(blamed.candidates.front().id, variable);
}

TEST(Blame, BytesOfAFreshBlockAreUninitialised) {
  TableBuilder builder;
  const uint32_t block = builder.definition(DefinitionKind::allocation, 3);
  const uint32_t place = builder.place(PlaceKind::load, 12, {{"n->next", Role::pointer}});
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(3, block)});
  EXPECT_EQ(blame(crash, builder.tables).error, ErrorKind::uninitialised_read);
  crash.address = 8; // the allocation gave NULL
  EXPECT_EQ(blame(crash, builder.tables).error, ErrorKind::null_dereference);
}

TEST(Blame, AnIndexOutOfAFreshBlockIsUninitialised) {
  TableBuilder builder;
  const uint32_t table = builder.definition(DefinitionKind::allocation, 6, "", "malloc");
  const uint32_t block = builder.definition(DefinitionKind::allocation, 3, "", "malloc");
  const uint32_t zeros = builder.definition(DefinitionKind::allocation, 4, "", "calloc");
  const uint32_t place =
      builder.place(PlaceKind::store, 12, {{"o->names", Role::base}, {"o->count", Role::index}});
  const auto blamed = [&](uint32_t index) {
    return blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(9, table), id_at(3, index)}),
                 builder.tables);
  };
  EXPECT_EQ(blamed(block).error, ErrorKind::uninitialised_read);
  EXPECT_EQ(blamed(block).candidates.at(0).name, "o->count");
  EXPECT_EQ(blamed(zeros).error, ErrorKind::wild_access); // 0 is what was meant
  EXPECT_EQ(blamed(zeros).candidates.at(0).name, "o->names");
}

TEST(Blame, ALeafThatNothingDefinedIsMissing) {
  TableBuilder builder;
  const uint32_t place = builder.place(PlaceKind::load, 12, {{"*p", Role::pointer}});
  const Blamed blamed = blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {0}), builder.tables);
  ASSERT_EQ(blamed.candidates.size(), 1u);
  EXPECT_EQ(blamed.candidates[0].part, Part::missing);
  EXPECT_FALSE(blamed.candidates[0].suppress);
}

TEST(Blame, AMissingDefinitionIsTheLastCandidate) {
  TableBuilder builder;
  const uint32_t index = builder.definition(DefinitionKind::store, 11);
  const uint32_t place =
      builder.place(PlaceKind::load, 12, {{"p", Role::base}, {"i", Role::index}});
  EXPECT_EQ(ids(blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {0, id_at(2, index)}),
                      builder.tables)),
            (Ids{id_at(2, index), 0}));
}

TEST(Blame, ANumberThatTheTablesDoNotHaveIsMissing) {
  TableBuilder builder;
  const uint32_t place = builder.place(PlaceKind::load, 12, {{"p", Role::base}});
  EXPECT_EQ(
      ids(blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(2, 77)}), builder.tables)),
      (Ids{0}));
}

TEST(Blame, WhatIsKnownToBeCorruptIsNotBlamedAgain) {
  TableBuilder builder;
  const uint32_t index = builder.definition(DefinitionKind::store, 11);
  const uint32_t place = builder.place(PlaceKind::load, 12, {{"i", Role::index}});
  const Blamed blamed =
      blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {CULPRIT_ID_CORRUPT | id_at(2, index)}),
            builder.tables);
  EXPECT_TRUE(blamed.candidates.empty());
  EXPECT_FALSE(blamed.nothing.empty());
}

TEST(Blame, AConstantOfTheCallItselfComesAfterItsOtherArguments) {
  TableBuilder builder;
  const uint32_t pointer = builder.definition(DefinitionKind::store, 4, "p");
  const uint32_t format = builder.definition(DefinitionKind::constant, 12);
  const uint32_t place =
      builder.place(PlaceKind::call, 12, {{"", Role::argument}, {"p", Role::argument}}, "printf");
  EXPECT_EQ(ids(blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place,
                               {id_at(99, format), id_at(5, pointer)}),
                      builder.tables)),
            (Ids{id_at(5, pointer), id_at(99, format)}));
}

TEST(Blame, AnOverflowIsBlamedOnTheWriteAndBesideItOnTheAllocation) {
  TableBuilder builder;
  const uint32_t block = builder.definition(DefinitionKind::allocation, 2);
  const uint32_t write = builder.definition(DefinitionKind::store, 8);
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_GUARD, 0, 0);
  crash.block = 0x1000;
  crash.block_size = 32;
  crash.address = 0x1020;
  crash.written = id_at(40, write);
  crash.allocated = id_at(3, block);
  Blamed blamed = blame(crash, builder.tables);
  EXPECT_EQ(blamed.error, ErrorKind::heap_overflow);
  EXPECT_EQ(ids(blamed), (Ids{id_at(40, write), id_at(3, block)}));
  EXPECT_TRUE(blamed.candidates[0].suppress);
  EXPECT_FALSE(blamed.candidates[1].suppress);
  crash.address = 0xff8;
  EXPECT_EQ(blame(crash, builder.tables).error, ErrorKind::heap_underflow);
  crash.written = 0; // by code that is not seen
  blamed = blame(crash, builder.tables);
  EXPECT_EQ(ids(blamed), (Ids{id_at(3, block)}));
  EXPECT_TRUE(blamed.candidates[0].suppress);
}

TEST(Blame, AWriteIntoAFreedBlockIsBlamedOnTheFree) {
  TableBuilder builder;
  const uint32_t gone = builder.definition(DefinitionKind::free, 5);
  const uint32_t write = builder.definition(DefinitionKind::store, 8);
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_FREED_WRITE, 0, 0);
  crash.freed = id_at(10, gone);
  crash.written = id_at(40, write);
  const Blamed blamed = blame(crash, builder.tables);
  EXPECT_EQ(blamed.error, ErrorKind::use_after_free);
  EXPECT_EQ(ids(blamed), (Ids{id_at(10, gone), id_at(40, write)}));
  EXPECT_FALSE(blamed.candidates[1].suppress);
}

TEST(Blame, APointerFreedTwiceIsBlamedOnTheFirstFree) {
  TableBuilder builder;
  const uint32_t pointer = builder.definition(DefinitionKind::allocation, 2);
  const uint32_t gone = builder.definition(DefinitionKind::free, 14);
  const uint32_t place = builder.place(PlaceKind::free, 15, {{"p", Role::pointer}}, "free");
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_DOUBLE_FREE, 0, place, {id_at(3, pointer)});
  crash.freed = id_at(50, gone);
  crash.freed_leaf = id_at(3, pointer);
  const Blamed blamed = blame(crash, builder.tables);
  EXPECT_EQ(blamed.error, ErrorKind::double_free);
  EXPECT_EQ(ids(blamed), (Ids{id_at(50, gone)}));
  EXPECT_TRUE(blamed.candidates[0].suppress);
}

TEST(Blame, TwoPointersToOneBlockAreBlamedOnTheLaterOne) {
  TableBuilder builder;
  const uint32_t p = builder.definition(DefinitionKind::store, 2, "p2");
  const uint32_t q = builder.definition(DefinitionKind::store, 4, "q2");
  const uint32_t gone = builder.definition(DefinitionKind::free, 14);
  const uint32_t place = builder.place(PlaceKind::free, 15, {{"q2", Role::pointer}}, "free");
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_DOUBLE_FREE, 0, place, {id_at(4, q)});
  crash.freed = id_at(50, gone);
  crash.freed_leaf = id_at(2, p);
  const Blamed blamed = blame(crash, builder.tables);
  EXPECT_EQ(ids(blamed), (Ids{id_at(4, q), id_at(50, gone)}));
  EXPECT_TRUE(blamed.candidates[0].suppress);
  EXPECT_FALSE(blamed.candidates[1].suppress);
}

TEST(Blame, AFaultInAFreedBlockIsAUseAfterFree) {
  TableBuilder builder;
  const uint32_t gone = builder.definition(DefinitionKind::free, 5);
  const uint32_t pointer = builder.definition(DefinitionKind::allocation, 2);
  const uint32_t place = builder.place(PlaceKind::load, 15, {{"p", Role::pointer}});
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(1, pointer)});
  crash.block = crash.address - 16;
  crash.block_size = 32;
  crash.freed = id_at(9, gone);
  const Blamed blamed = blame(crash, builder.tables);
  EXPECT_EQ(blamed.error, ErrorKind::use_after_free);
  EXPECT_EQ(ids(blamed), (Ids{id_at(9, gone), id_at(1, pointer)}));
  EXPECT_FALSE(blamed.candidates[1].suppress);
}

TEST(Blame, OfAnAddressNearNullTheBaseIsWrong) {
  TableBuilder builder;
  const uint32_t base = builder.definition(DefinitionKind::global, 1, "chosen");
  const uint32_t index = builder.definition(DefinitionKind::store, 26, "colour");
  const uint32_t place =
      builder.place(PlaceKind::load, 33, {{"chosen", Role::base}, {"colour", Role::index}});
  culprit_record_crash crash =
      crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {base, id_at(5, index)});
  crash.address = 0x18;
  EXPECT_EQ(ids(blame(crash, builder.tables)), (Ids{base, id_at(5, index)}));
}

TEST(Blame, OfACallsArgumentsThePointerIsWrong) {
  TableBuilder builder;
  const uint32_t row = builder.definition(DefinitionKind::library, 61, "row");
  const uint32_t note = builder.definition(DefinitionKind::store, 23, "note");
  const uint32_t place = builder.place(
      PlaceKind::call, 27, {{"", Role::pointer}, {"row", Role::argument}, {"note", Role::pointer}});
  EXPECT_EQ(
      ids(blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {0, id_at(9, row), id_at(5, note)}),
                builder.tables)),
      (Ids{id_at(5, note), id_at(9, row)}));
}

TEST(Blame, AFullStackIsBlamedOnWhatTheRecursionWalksOver) {
  TableBuilder builder;
  const uint32_t next = builder.definition(DefinitionKind::store, 26, "lines[].next");
  const uint32_t place = builder.place(PlaceKind::load, 33, {{"line", Role::pointer}});
  const Blamed blamed =
      blame(crash_at(CULPRIT_CRASH_EXHAUSTED, SIGSEGV, place, {id_at(5, next)}), builder.tables);
  EXPECT_EQ(ids(blamed), (Ids{id_at(5, next)}));
}

TEST(Blame, AFullStackIsNobodysDefinition) {
  const Blamed blamed = blame(crash_at(CULPRIT_CRASH_EXHAUSTED, SIGSEGV, 0), Tables{});
  EXPECT_EQ(blamed.error, ErrorKind::stack_exhausted);
  EXPECT_TRUE(blamed.candidates.empty());
  EXPECT_FALSE(blamed.nothing.empty());
}

TEST(Blame, AnEndlessLoopThatGoesRoundByNothingKnownIsNobodys) {
  TableBuilder builder;
  const uint32_t place = builder.place(PlaceKind::load, 33, {{"line", Role::pointer}});
  const Blamed blamed = blame(crash_at(CULPRIT_CRASH_ENDLESS, 0, place, {0}), builder.tables);
  EXPECT_EQ(blamed.error, ErrorKind::endless_loop);
  EXPECT_TRUE(blamed.candidates.empty());
  EXPECT_NE(blamed.nothing.find("--timeout"), std::string::npos);
}

TEST(Blame, AVariableThatHasLeftItsScopeIsNotOneThatWasNeverWritten) {
  TableBuilder builder;
  const uint32_t head = builder.definition(DefinitionKind::variable, 17, "head");
  const uint32_t place = builder.place(PlaceKind::load, 33, {{"dish", Role::pointer}});
  const auto of = [&](uint64_t time) {
    return blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(time, head)}),
                 builder.tables);
  };
  EXPECT_EQ(of(0).error, ErrorKind::uninitialised_read);
  EXPECT_EQ(of(9).error, ErrorKind::use_after_return);
  EXPECT_EQ(of(9).candidates.at(0).part, Part::left);
}

TEST(Blame, AVariableThatIsWrittenAfterItsFunctionHasReturnedIsBlamedWithTheWriterBesideIt) {
  TableBuilder builder;
  const uint32_t head = builder.definition(DefinitionKind::variable, 17, "head");
  const uint32_t writer = builder.store(30, "head.next", 8);
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_FREED_WRITE, 0, 0);
  crash.freed = id_at(9, head);
  crash.written = id_at(12, writer);
  const Blamed blamed = blame(crash, builder.tables);
  EXPECT_EQ(blamed.error, ErrorKind::use_after_return);
  EXPECT_EQ(ids(blamed), (Ids{id_at(9, head), id_at(12, writer)}));
  EXPECT_FALSE(blamed.candidates.at(1).suppress);
}

TEST(Blame, WhoWroteTheLastBytesOfABlockIsNotWhoWroteBehindIt) {
  TableBuilder builder;
  const uint32_t copy = builder.definition(DefinitionKind::library, 20, "text", "memcpy");
  const uint32_t end = builder.store(21, "text[]", 1);
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_GUARD, 0, 0);
  crash.block = 0x1000;
  crash.block_size = 7;
  const Candidate writer{.id = id_at(9, end), .part = Part::writer};
  Fired fired{.id = id_at(9, end), .count = 1, .before = id_at(8, copy), .address = 0x1007};
  EXPECT_FALSE(earlier_writer(writer, fired, builder.tables, crash));
  // A cell of its own: whoever wrote there had no business there.
  fired.address = 0x1008;
  EXPECT_EQ(earlier_writer(writer, fired, builder.tables, crash).value_or(Candidate{}).id,
            id_at(8, copy));
}

TEST(Blame, AFailedCheckIsBlamedOnItsCondition) {
  TableBuilder builder;
  const uint32_t count = builder.definition(DefinitionKind::store, 5, "count");
  const uint32_t place =
      builder.place(PlaceKind::stop, 15, {{"count", Role::condition}}, "__assert_fail");
  const Blamed blamed =
      blame(crash_at(CULPRIT_CRASH_ABORT, SIGABRT, place, {id_at(7, count)}), builder.tables);
  EXPECT_EQ(blamed.error, ErrorKind::failed_check);
  EXPECT_EQ(ids(blamed), (Ids{id_at(7, count)}));
}

TEST(Blame, EveryKindHasAName) {
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::stack_exhausted); ++kind)
    EXPECT_FALSE(name_of(static_cast<ErrorKind>(kind)).empty());
  EXPECT_EQ(name_of(ErrorKind::stack_exhausted), "stack-exhausted");
  EXPECT_EQ(name_of(ErrorKind::division_by_zero), "division-by-zero");
}

TEST(Blame, APointerThatLessThanAPointerWasWrittenOverComesBeforeANewerIndex) {
  TableBuilder builder;
  const uint32_t ring = builder.store(35, "waiting[]", 4);
  const uint32_t index = builder.store(31, "y", 4);
  const uint32_t place =
      builder.place(PlaceKind::load, 32, {{"board", Role::base}, {"y", Role::index}});
  const auto crash =
      crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(5, ring), id_at(9, index)});
  EXPECT_EQ(ids(blame(crash, builder.tables)), (Ids{id_at(5, ring), id_at(9, index)}));
  // One that was written as a whole may be right.
  builder.tables.definitions[ring - 1].size = 8;
  EXPECT_EQ(ids(blame(crash, builder.tables)), (Ids{id_at(9, index), id_at(5, ring)}));
}

TEST(Blame, UnseenCodeThatGotAPointerIntoAFreedBlockIsBlamedOnTheFree) {
  TableBuilder builder;
  const uint32_t pointer = builder.definition(DefinitionKind::store, 4, "first");
  const uint32_t gave = builder.definition(DefinitionKind::free, 9);
  const uint32_t place = builder.place(PlaceKind::call, 12,
                                       {{"first", Role::pointer}, {"n", Role::argument}}, "append");
  culprit_record_crash crash =
      crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(50, pointer), 0});
  culprit_record_arguments arguments{};
  arguments.freed_by[0] = id_at(9, gave);
  const Blamed blamed = blame(crash, builder.tables, arguments);
  EXPECT_EQ(blamed.error, ErrorKind::use_after_free);
  EXPECT_EQ(blamed.candidates.front().id, id_at(9, gave));
  EXPECT_EQ(blamed.candidates.front().part, Part::free);
  EXPECT_FALSE(blamed.candidates[1].suppress); // the pointer may be as it should
  // What was left of an earlier call says nothing about an access.
  const uint32_t access = builder.place(PlaceKind::load, 13, {{"first", Role::pointer}});
  crash.place = access;
  EXPECT_EQ(blame(crash, builder.tables, arguments).candidates.front().id, id_at(50, pointer));
}

TEST(Blame, OfACallTheArgumentThatLeadsNowhereIsTheReason) {
  TableBuilder builder;
  const uint32_t ran_over = builder.definition(DefinitionKind::library, 14, "name", "strcpy");
  const uint32_t step = builder.store(20, "i", 4);
  const uint32_t place = builder.place(
      PlaceKind::call, 15,
      {{"ledger", Role::pointer}, {"name", Role::pointer}, {"n", Role::argument}}, "fprintf");
  const culprit_record_crash crash =
      crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, place, {id_at(5, ran_over), id_at(9, step), 0});
  culprit_record_arguments arguments{};
  arguments.nowhere = 1;
  EXPECT_EQ(ids(blame(crash, builder.tables, arguments)), (Ids{id_at(5, ran_over)}));
  arguments.nowhere = 4; // no pointer at all
  EXPECT_EQ(ids(blame(crash, builder.tables, arguments)).front(), id_at(9, step));
}

TEST(Blame, ATrapIsACheckThatFailed) {
  TableBuilder builder;
  const uint32_t count = builder.store(17, "count", 4);
  const uint32_t trap = builder.place(PlaceKind::stop, 24, {{"count", Role::condition}});
  const uint32_t load = builder.place(PlaceKind::load, 24, {{"p", Role::pointer}});
  EXPECT_EQ(
      blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGILL, trap, {id_at(5, count)}), builder.tables).error,
      ErrorKind::failed_check);
  EXPECT_EQ(
      blame(crash_at(CULPRIT_CRASH_SIGNAL, SIGILL, load, {id_at(5, count)}), builder.tables).error,
      ErrorKind::illegal_instruction);
}

TEST(Blame, AWriteByAPointerThatAPieceWasWrittenOverIsBlamedOnThatPiece) {
  TableBuilder builder;
  const uint32_t bin = builder.store(22, "bin[]", 4);
  const uint32_t whole = builder.store(9, "total", 8);
  const uint32_t count = builder.store(23, "*total", 4);
  const auto earlier = [&](Part part, uint64_t through) {
    return earlier_writer({.id = id_at(40, count), .part = part},
                          {.id = id_at(40, count), .count = 3, .through = through}, builder.tables);
  };
  ASSERT_TRUE(earlier(Part::writer, id_at(30, bin)));
  EXPECT_EQ(earlier(Part::writer, id_at(30, bin))->id, id_at(30, bin));
  EXPECT_EQ(earlier(Part::writer, id_at(30, bin))->part, Part::source);
  EXPECT_FALSE(earlier(Part::writer, id_at(30, whole)));
  EXPECT_FALSE(earlier(Part::source, id_at(30, bin)));
}

TEST(Blame, WhatOnlyACopyHasWrittenNeedNotGoWrongAgain) {
  TableBuilder builder;
  const uint32_t allocation = builder.definition(DefinitionKind::allocation, 12);
  const uint32_t store = builder.store(15, "next", 8);
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_GUARD, 0, 0);
  crash.written = id_at(4, allocation);
  EXPECT_FALSE(blame(crash, builder.tables).candidates.front().onward);
  crash.written = id_at(4, store);
  EXPECT_TRUE(blame(crash, builder.tables).candidates.front().onward);
}

TEST(Blame, WhoRanIntoAPointerFirstIsTheOneToBlame) {
  TableBuilder builder;
  const uint32_t copy = builder.definition(DefinitionKind::library, 30, "packed", "strcpy");
  const uint32_t lower = builder.store(38, "*at", 1);
  const uint32_t whole = builder.store(26, "method", 8);
  const Candidate blamed{.id = id_at(40, lower), .role = Role::pointer};
  const auto earlier = [&](uint64_t before, uint64_t beside) {
    const auto found = earlier_writer(
        blamed, {.id = id_at(40, lower), .count = 3, .before = before, .beside = beside},
        builder.tables);
    return found ? found->id : 0;
  };
  EXPECT_EQ(earlier(id_at(9, copy), 0), id_at(9, copy));
  EXPECT_EQ(earlier(id_at(20, lower), id_at(9, copy)), id_at(9, copy));
  EXPECT_EQ(earlier(id_at(9, whole), id_at(9, whole)), 0u); // where it belongs
  EXPECT_EQ(earlier(0, 0), 0u);
  EXPECT_EQ(earlier(id_at(50, copy), 0), 0u); // that came later
}

TEST(Blame, AnUpdateOfWhatWentAstrayIsBlamedOnThatWrite) {
  TableBuilder builder;
  const uint32_t votes = builder.store(21, "votes[]", 4, "votes", true);
  const uint32_t counted = builder.store(22, "counted", 4, "counted", true);
  const uint32_t reset = builder.store(9, "counted", 4, "counted");
  const Candidate blamed{.id = id_at(40, counted), .role = Role::condition};
  const auto earlier = [&](uint64_t before) {
    return earlier_writer(blamed, {.id = id_at(40, counted), .count = 3, .before = before},
                          builder.tables);
  };
  ASSERT_TRUE(earlier(id_at(30, votes)));
  EXPECT_EQ(earlier(id_at(30, votes))->id, id_at(30, votes));
  EXPECT_FALSE(earlier(id_at(30, votes))->suppress);
  EXPECT_FALSE(earlier(id_at(3, reset)));
  builder.tables.definitions[counted - 1].update = false; // nothing of it is left
  EXPECT_FALSE(earlier(id_at(30, votes)));
}

TEST(Blame, ACounterThatWasBegunByItsNameIsNoPointerWrittenOver) {
  TableBuilder builder;
  const uint32_t begun = builder.store(8, "r->head", 4);
  const uint32_t neighbour = builder.store(9, "r->tail", 4);
  const uint32_t counted = builder.store(16, "r->head", 4, "", true);
  const Candidate blamed{.id = id_at(40, counted), .role = Role::pointer};
  const Fired fired{.id = id_at(40, counted),
                    .count = 4,
                    .before = id_at(3, begun),
                    .beside = id_at(4, neighbour)};
  EXPECT_FALSE(earlier_writer(blamed, fired, builder.tables));
  // Which element it is a name does not say.
  const uint32_t element = builder.store(8, "bins[]", 4);
  const uint32_t update = builder.store(16, "bins[]", 4, "", true);
  EXPECT_TRUE(earlier_writer({.id = id_at(40, update), .role = Role::pointer},
                             {.id = id_at(40, update),
                              .count = 4,
                              .before = id_at(3, element),
                              .beside = id_at(4, neighbour)},
                             builder.tables));
}

TEST(Blame, AnUpdateOfAPartOfAPointerIsNotAtHomeThere) {
  TableBuilder builder;
  const uint32_t histogram = builder.store(5, "histogram[]", 4, "histogram", true);
  const uint32_t handler = builder.store(7, "handlers[]", 8, "handlers");
  const Candidate blamed{.id = id_at(40, histogram), .role = Role::pointer};
  EXPECT_FALSE(
      earlier_writer(blamed, {.id = id_at(40, histogram), .count = 12, .before = id_at(3, handler)},
                     builder.tables));
}

} // namespace
} // namespace culprit::locate
