// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/access/tables.h"

#include "abi/access.h"

#include <gtest/gtest.h>

namespace culprit::access {
namespace {

constexpr const char *kWhole = R"({
  "sites": [{"id": "00000000000000aa", "kind": "alloc"}],
  "accesses": [
    {"id": "0000000000000001", "file": "/a.c", "line": 3, "column": 5, "function": "f"},
    {"id": "0000000000000002", "file": "/a.c", "line": 4, "column": 1, "function": "f",
     "read": true, "direct": true, "callee": "strcpy"}],
  "rows": [{"site": 0, "size": 8}, {"site": 1, "size": 0, "flags": 5}],
  "variables": [
    {"kind": "global", "name": "table", "file": "/a.c", "line": 1, "size": 64, "type": "struct t",
     "layout": 0, "internal": true},
    {"kind": "local", "name": "buf", "function": "f"},
    {"kind": "return", "function": "f"},
    {"kind": "outside", "name": "buf", "function": "f"}],
  "layouts": [{"type": "struct t", "size": 16, "rest": 2,
               "members": [{"name": "head.next", "start": 0}, {"name": "data", "start": 8, "array": true}]}]
})";

TEST(AccessTables, EveryFieldIsRead) {
  const auto tables = parse_tables(kWhole);
  ASSERT_TRUE(tables) << tables.error().what;
  ASSERT_EQ(tables->sites.size(), 2u);
  EXPECT_EQ(tables->sites[0], (AccessSite{1, "/a.c", 3, 5, "f", "", false, false}));
  EXPECT_EQ(tables->sites[1], (AccessSite{2, "/a.c", 4, 1, "f", "strcpy", true, true}));
  EXPECT_EQ(tables->rows[1].site, 1u);
  EXPECT_EQ(tables->rows[1].flags, CULPRIT_ROW_READ | CULPRIT_ROW_DIRECT);
  ASSERT_EQ(tables->variables.size(), 4u);
  EXPECT_EQ(tables->variables[0].layout, 0u);
  EXPECT_TRUE(tables->variables[0].internal);
  EXPECT_EQ(tables->variables[1].kind, VariableKind::local);
  EXPECT_FALSE(tables->variables[1].layout);
  EXPECT_EQ(tables->variables[2].kind, VariableKind::return_slot);
  EXPECT_EQ(tables->variables[3].kind, VariableKind::outside);
  ASSERT_EQ(tables->layouts.size(), 1u);
  EXPECT_EQ(tables->layouts[0].members[1].name, "data");
  EXPECT_TRUE(tables->layouts[0].members[1].array);
  EXPECT_EQ(tables->layouts[0].rest, 2u);
}

TEST(AccessTables, ATableOfTheHeapAloneHasNoAccesses) {
  const auto tables = parse_tables(R"({"sites": [{"id": "0000000000000001", "kind": "call"}]})");
  ASSERT_TRUE(tables);
  EXPECT_TRUE(tables->sites.empty());
  EXPECT_TRUE(tables->rows.empty());
}

TEST(AccessTables, HostileTablesAreRefused) {
  for (const char *text : {
           "",
           "[]",
           "{",
           R"({"accesses": {}})",
           R"({"accesses": [1]})",
           R"({"accesses": [{}]})",
           R"({"accesses": [{"id": "12"}]})",
           R"({"accesses": [{"id": "0000000000000001", "line": -1}]})",
           R"({"accesses": [{"id": "0000000000000001", "line": 4294967296}]})",
           R"({"accesses": [{"id": "0000000000000001", "read": 1}]})",
           R"({"accesses": [{"id": "0000000000000001", "file": null}]})",
           R"({"rows": [{"site": 0, "size": 8}]})",
           R"({"accesses": [{"id": "0000000000000001"}], "rows": [{"site": 0, "size": 17}]})",
           R"({"accesses": [{"id": "0000000000000001"}], "rows": [{"site": 0, "flags": 256}]})",
           R"({"variables": [{"kind": "heap"}]})",
           R"({"variables": [{"name": "x"}]})",
           R"({"variables": [{"kind": "global", "layout": 0}]})",
           R"({"layouts": [{"type": "t"}]})",
           R"({"layouts": [{"members": [{"start": "x"}]}]})",
           R"({"layouts": [{"rest": 2, "members": [{"name": "a"}]}]})",
       })
    EXPECT_FALSE(parse_tables(text)) << text;
}

TEST(AccessTables, ReadsAreWatchedIfAnySiteReads) {
  AccessTables tables;
  EXPECT_FALSE(watches_reads(tables));
  tables[1].sites.push_back({1, "", 0, 0, "", "", false, false});
  EXPECT_FALSE(watches_reads(tables));
  tables[2].sites.push_back({2, "", 0, 0, "", "", true, false});
  EXPECT_TRUE(watches_reads(tables));
}

} // namespace
} // namespace culprit::access
