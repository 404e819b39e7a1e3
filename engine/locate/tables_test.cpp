// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/locate/tables.h"

#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

constexpr const char *kWhole = R"({
  "strings": ["", "store", "/a.c", "f", "c", "a", "b", "library", "strcpy", "load", "base", "index", "intArray"],
  "definitions": [[1, 2, 11, 5, 3, 4, 0, [5, 6]], [7, 2, 8, 3, 3, 0, 8]],
  "places": [[9, 2, 12, 3, 3, 4, 0, [[12, 10], [4, 11]]]]
})";

TEST(LocateTables, EveryFieldIsRead) {
  const auto tables = parse_tables(kWhole);
  ASSERT_TRUE(tables) << tables.error().what;
  const auto store = tables->definition(1);
  ASSERT_TRUE(store);
  EXPECT_EQ(store->kind, DefinitionKind::store);
  EXPECT_EQ(store->at, (Location{"/a.c", 11, 5, "f"}));
  EXPECT_EQ(store->variable, "c");
  EXPECT_EQ(store->leaves, (std::vector<std::string>{"a", "b"}));
  const auto library = tables->definition(2);
  ASSERT_TRUE(library);
  EXPECT_EQ(library->kind, DefinitionKind::library);
  EXPECT_EQ(library->callee, "strcpy");
  EXPECT_TRUE(library->leaves.empty());
  const auto place = tables->place(1);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->kind, PlaceKind::load);
  EXPECT_EQ(place->size, 4u);
  ASSERT_EQ(place->leaves.size(), 2u);
  EXPECT_EQ(place->leaves[0].name, "intArray");
  EXPECT_EQ(place->leaves[0].role, Role::base);
  EXPECT_EQ(place->leaves[1].role, Role::index);
}

TEST(LocateTables, TheStoreOfADefinitionIsFoundIfThereIsOne) {
  // A load and a store at 11:5, two stores at 12:3, a library function at 8:3.
  const auto tables = parse_tables(R"({
    "strings": ["", "store", "/a.c", "f", "load", "library"],
    "definitions": [[1, 2, 11, 5, 3, 0, 0], [1, 2, 12, 3, 3, 0, 0], [5, 2, 8, 3, 3, 0, 0]],
    "places": [[4, 2, 11, 5, 3, 4, 0, []], [1, 2, 11, 5, 3, 4, 0, []], [1, 2, 12, 3, 3, 4, 0, []],
               [1, 2, 12, 3, 3, 4, 0, []], [1, 2, 8, 3, 3, 4, 0, []]]
  })");
  ASSERT_TRUE(tables) << tables.error().what;
  EXPECT_EQ(tables->place_of_store(1), 2U);
  EXPECT_EQ(tables->place_of_store(2), 0U);
  EXPECT_EQ(tables->place_of_store(3), 0U);
  EXPECT_EQ(tables->place_of_store(0), 0U);
  EXPECT_EQ(tables->place_of_store(4), 0U);
}

TEST(LocateTables, NumbersThatAreNotThereAreNothing) {
  const auto tables = parse_tables(kWhole);
  ASSERT_TRUE(tables);
  EXPECT_FALSE(tables->definition(0));
  EXPECT_FALSE(tables->definition(3));
  EXPECT_FALSE(tables->kind(3));
  EXPECT_FALSE(tables->place(0));
  EXPECT_FALSE(tables->place(2));
}

TEST(LocateTables, ATableOfAnotherFlavourHasNone) {
  const auto tables = parse_tables(R"({"sites": [{"id": "0000000000000001", "kind": "call"}]})");
  ASSERT_TRUE(tables);
  EXPECT_TRUE(tables->definitions.empty());
}

TEST(LocateTables, HostileTablesAreRefused) {
  for (const char *text : {
           "",
           "[]",
           "{",
           R"({"strings": {}})",
           R"({"strings": [1]})",
           R"({"definitions": {}})",
           R"({"definitions": [1]})",
           R"({"definitions": [[]]})",
           R"({"definitions": [[0, 0, 1, 1, 0]]})",
           R"({"strings": ["", "nothing"], "definitions": [[1]]})",
           R"({"strings": ["", "store"], "definitions": [[1, 2]]})",
           R"({"strings": ["", "store"], "definitions": [[1, -1]]})",
           R"({"strings": ["", "store"], "definitions": [[1, 0, 4294967296]]})",
           R"({"strings": ["", "store"], "definitions": [[1, 0, 1, 1, 2]]})",
           R"({"strings": ["", "store"], "definitions": [[1, 0, 1, 1, 0, 0, 0, 1]]})",
           R"({"strings": ["", "store"], "definitions": [[1, 0, 1, 1, 0, 0, 0, [2]]]})",
           R"({"strings": ["", "store"], "places": [[1, 0, 1, 1, 0, "x"]]})",
           R"({"strings": ["", "store"], "places": [[1, 0, 1, 1, 0, 4, 0, [1]]]})",
           R"({"strings": ["", "store"], "places": [[1, 0, 1, 1, 0, 4, 0, [[0, 1]]]]})",
           R"({"strings": ["", "store"], "places": [[1, 0, 1, 1, 0, 4, 0, [[]]]]})",
       })
    EXPECT_FALSE(parse_tables(text)) << text;
}

} // namespace
} // namespace culprit::locate
