// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/access/run.h"

#include "abi/access.h"

#include <gtest/gtest.h>

namespace culprit::access {
namespace {

struct File {
  std::shared_ptr<AccessTables> tables = std::make_shared<AccessTables>();
  std::shared_ptr<heap::SiteTables> sites = std::make_shared<heap::SiteTables>();
  run::RunFile file{};

  File() {
    UnitTables &unit = (*tables)[9];
    unit.sites = {{11, "/a.c", 1, 1, "f", "", false, false},
                  {12, "/a.c", 2, 1, "f", "", false, true},
                  {11, "/a.c", 1, 1, "f", "", false, false}}; // a copy of the first
    unit.rows = {{0, 8, 0}, {1, 4, CULPRIT_ROW_DIRECT}, {2, 4, 0}, {0, 4, CULPRIT_ROW_TAIL}};
    unit.variables.resize(4);
    unit.variables[0].name = "table";
    unit.variables[0].layout = 0;
    unit.variables[1].kind = VariableKind::local;
    unit.variables[1].name = "buf";
    unit.variables[1].function = "f";
    unit.variables[2].kind = VariableKind::return_slot;
    unit.variables[2].function = "f";
    unit.variables[3] = unit.variables[1];
    unit.variables[3].kind = VariableKind::outside;
    unit.layouts = {{"struct t", 16, 0, {{"a", 0, false}, {"", 8, false}}}};
    (*sites)[9] = {
        {101, heap::SiteKind::alloc, "/l.c", 5, 1, "make", "malloc", "struct n", {}, false},
        {102, heap::SiteKind::call, "/l.c", 9, 1, "main", "make", "", {}, false}};
    add(run::Unit{9, 1, 2});
    add(run::AccessUnit{9, 100, 4});
  }
  template <typename T> void add(T what) { file.records.push_back({0, 1, std::move(what)}); }
  void name(uint32_t number, uint32_t kind, uint32_t object, uint32_t layout = 0,
            uint32_t member = CULPRIT_NO_MEMBER) {
    add(run::ObjectName{{number, kind, 9, object, layout, member, 0}});
  }
  culprit_record_access &met(uint32_t row, uint32_t name, uint32_t period = 0) {
    culprit_record_access raw{};
    raw.row = row;
    raw.name = name;
    raw.period = period;
    add(run::AccessMet{raw, {0x1000}});
    return std::get<run::AccessMet>(file.records.back().what).numbers;
  }
  Result<AccessRun> read() const { return access_run(file, tables, sites); }
};

TEST(AccessRun, ResolvesSitesAndNames) {
  File file;
  file.add(run::Context{3, 0x20001}); // site 1 (make), called from site 2 (main)
  file.name(1, CULPRIT_NAME_GLOBAL, 0, 1, 0);
  file.name(2, CULPRIT_NAME_HEAP, 3, 1, 1);
  file.name(3, CULPRIT_NAME_LOCAL, 1);
  file.name(4, CULPRIT_NAME_LOCAL, 2);
  file.name(5, CULPRIT_NAME_OUTSIDE, 3);
  file.name(6, CULPRIT_NAME_LOCAL, 3);
  auto &first = file.met(100, 1);
  first.before = 3;
  first.previous = 77; // never told
  first.address = 5;
  for (uint32_t name = 2; name <= 6; ++name)
    file.met(101, name);
  const auto run = file.read();
  ASSERT_TRUE(run) << run.error().what;
  EXPECT_TRUE(run->watched);
  EXPECT_FALSE(run->reads);
  ASSERT_EQ(run->pairs.size(), 6u);
  const auto name_of = [&](size_t pair) { return run->names[run->pairs[pair].name].name; };
  EXPECT_EQ(run->pairs[0].site->id, 11u);
  EXPECT_EQ(run->pairs[0].address, 5u);
  EXPECT_EQ(run->pairs[0].stack, std::vector<uint64_t>{0x1000});
  EXPECT_EQ(run->names[run->pairs[0].before].name.symbol, "buf");
  EXPECT_EQ(run->pairs[0].previous, kNoName);
  EXPECT_FALSE(run->pairs[0].direct);
  EXPECT_EQ(name_of(0).member, "a");
  EXPECT_EQ(name_of(0).symbol, "table");
  EXPECT_TRUE(run->pairs[1].direct);
  EXPECT_EQ(name_of(1).kind, NameKind::heap);
  EXPECT_EQ(name_of(1).chain, (std::vector<uint64_t>{101, 102}));
  EXPECT_EQ(name_of(1).type, "struct n");
  EXPECT_EQ(name_of(1).line, 5u);
  EXPECT_EQ(name_of(1).member, "+8") << "a member without a name is where it is";
  EXPECT_EQ(name_of(2).kind, NameKind::local);
  EXPECT_EQ(name_of(3).kind, NameKind::return_slot) << "the runtime calls it a local";
  EXPECT_EQ(name_of(4).kind, NameKind::outside);
  EXPECT_EQ(name_of(4).chain, (std::vector<uint64_t>{101, 102}));
  EXPECT_EQ(name_of(5).kind, NameKind::outside) << "behind a local; the runtime calls it one";
  EXPECT_EQ(name_of(5).symbol, "buf");
  EXPECT_EQ(name_of(5).function, "f");
  EXPECT_EQ(run->unresolved, 0u);
}

TEST(AccessRun, CopiesOfAPlaceAndEqualContextsAreOnePair) {
  File file;
  file.add(run::Context{3, 0x20001});
  file.add(run::Context{4, 0x20001});
  file.name(1, CULPRIT_NAME_HEAP, 3);
  file.name(2, CULPRIT_NAME_HEAP, 4);
  file.met(100, 1);
  file.met(102, 2); // the copy, the other context
  file.met(103, 1);
  file.add(run::AccessCounts{{{100, 1, 5}, {102, 2, 7}, {103, 1, 1}}});
  file.add(run::AccessCounts{{{100, 1, 10}}});
  const auto run = file.read();
  ASSERT_TRUE(run);
  ASSERT_EQ(run->pairs.size(), 1u);
  EXPECT_EQ(run->pairs[0].count, 23u);
  EXPECT_TRUE(run->counted);
}

TEST(AccessRun, APairIsDirectOnlyIfEveryCopyOfTheSiteIs) {
  File file;
  (*file.tables)[9].rows[0].flags = CULPRIT_ROW_DIRECT; // one copy of the first site
  file.name(1, CULPRIT_NAME_GLOBAL, 0);
  file.met(100, 1);
  file.met(101, 1);
  const auto run = file.read();
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->pairs[0].direct) << "another copy goes through a pointer and is not told again";
  EXPECT_TRUE(run->pairs[1].direct);
}

TEST(AccessRun, PeriodsArePartsOfTheRun) {
  File file;
  file.name(1, CULPRIT_NAME_GLOBAL, 0);
  file.met(100, 1);
  file.add(run::Period{1, 50});
  file.add(run::Period{2, 90});
  file.met(100, 1, 2);
  file.met(101, 1, 2);
  file.met(101, 1, 7); // a period that never began
  const auto run = file.read();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->periods, 3u);
  EXPECT_EQ(run->pairs[0].periods, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(run->pairs[1].periods, std::vector<uint32_t>{2});
  EXPECT_EQ(run->unresolved, 1u);
}

TEST(AccessRun, WhatNoTableDescribesIsCountedAndLeftOut) {
  File file;
  file.name(1, CULPRIT_NAME_GLOBAL, 0);
  file.name(2, CULPRIT_NAME_GLOBAL, 99);      // no such variable
  file.name(3, CULPRIT_NAME_GLOBAL, 0, 5);    // no such layout
  file.name(4, CULPRIT_NAME_GLOBAL, 0, 1, 6); // no such member
  for (uint32_t name = 1; name <= 5; ++name)
    file.met(100, name);
  file.met(104, 1); // behind the unit's rows
  file.met(99, 1);
  const auto run = file.read();
  ASSERT_TRUE(run);
  EXPECT_EQ(run->pairs.size(), 1u);
  EXPECT_EQ(run->unresolved, 6u);
}

TEST(AccessRun, ANameWithTwoMeaningsIsDamage) {
  File file;
  file.name(1, CULPRIT_NAME_GLOBAL, 0);
  file.name(1, CULPRIT_NAME_GLOBAL, 0);
  EXPECT_TRUE(file.read());
  file.name(1, CULPRIT_NAME_GLOBAL, 1);
  EXPECT_FALSE(file.read());
}

TEST(AccessRun, AUnitOfAnotherBuildIsNotRead) {
  File file;
  file.file.records.clear();
  file.add(run::AccessUnit{9, 100, 5});
  file.name(1, CULPRIT_NAME_GLOBAL, 0);
  file.met(100, 1);
  const auto run = file.read();
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->watched);
  EXPECT_TRUE(run->pairs.empty());
}

TEST(AccessRun, ARunOfTheHeapAloneWatchesNothing) {
  File file;
  file.file.records.clear();
  file.add(run::Unit{9, 1, 2});
  EXPECT_FALSE(file.read()->watched);
}

} // namespace
} // namespace culprit::access
