// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/tables.h"

#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

constexpr const char *kWhole = R"({
  "strings": ["", "/a.c", "f", "malloc", "count", "pointer", "node", "record", "next"],
  "points": [["00000000000000ff", 1, 11, 5, 2, 1, 0], ["0123456789abcdef", 1, 12, 3, 2, 0, 3]],
  "names": [[4, 2, 1], [0, 2, 0]],
  "types": [[5, 6, 8, 2, 0, []], [7, 6, 16, 0, 0, [[8, 8, 1]]]]
})";

TEST(ExplainTables, EveryFieldIsRead) {
  const auto tables = parse_tables(kWhole);
  ASSERT_TRUE(tables) << tables.error().what;
  ASSERT_EQ(tables->sites.size(), 2U);
  EXPECT_EQ(tables->site(1)->id, 0xffU);
  EXPECT_EQ(tables->site(1)->at, (Location{"/a.c", 11, 5, "f"}));
  EXPECT_EQ(tables->site(1)->ways, 1U);
  EXPECT_FALSE(tables->site(1)->allocates);
  EXPECT_TRUE(tables->site(2)->allocates);
  EXPECT_EQ(tables->name(1)->name, "count");
  EXPECT_EQ(tables->name(2)->name, "");
  EXPECT_EQ(tables->name(2)->function, "f");
  EXPECT_EQ(tables->name(1)->type, 1U);
  EXPECT_EQ(tables->types.find(1)->kind, Type::Kind::pointer);
  EXPECT_EQ(tables->types.find(1)->of, 2U);
  EXPECT_EQ(leaf_at(tables->types, 2, 8).path, ".next");
}

TEST(ExplainTables, NumbersThatAreNotThereAreNothing) {
  const auto tables = parse_tables(kWhole);
  ASSERT_TRUE(tables);
  EXPECT_EQ(tables->site(0), nullptr);
  EXPECT_EQ(tables->site(3), nullptr);
  EXPECT_EQ(tables->name(0), nullptr);
  EXPECT_EQ(tables->name(3), nullptr);
}

TEST(ExplainTables, ATableThatPointsOutsideItselfIsAnError) {
  EXPECT_FALSE(parse_tables("[]"));
  EXPECT_FALSE(parse_tables(R"({"strings": [""], "names": [[1, 0, 0]]})"));
  EXPECT_FALSE(parse_tables(R"({"strings": [""], "names": [[0]]})"));
  EXPECT_FALSE(parse_tables(R"({"strings": [""], "types": [[0, 0, 1, 0, 0]]})"));
  EXPECT_FALSE(parse_tables(R"({"strings": [""], "types": [[0, 0, 1, 0, 0, [[0, 1]]]]})"));
  EXPECT_FALSE(parse_tables(R"({"strings": [""], "types": [[0, 0, 1, 0, 0, [7]]]})"));
  EXPECT_FALSE(parse_tables(R"({"strings": [""], "points": [["xyz", 0, 1, 1, 0, 0, 0]]})"));
  EXPECT_FALSE(parse_tables(R"({"strings": [""], "points": [["00000000000000ff", 0, -1]]})"));
}

} // namespace
} // namespace culprit::explain
