// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/naming.h"

#include "engine/explain/simulated.h"

#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

// Two variables, h and n, and a list of two nodes in each run; the failing one has them elsewhere
// and the other way round.
struct Scene {
  Tables tables{.unit = 0,
                .sites = {{.id = 7, .at = {"/src/list.c", 14, 3, "make"}, .allocates = true}},
                .names = {{"h", ""}, {"n", "count"}, {"", "count"}}};
  Snapshot passing = memory(0x20000, 0x30000, 3);
  Snapshot failing = memory(0x90000, 0x80000, -4);

  static Snapshot memory(uint64_t first, uint64_t second, int64_t n) {
    Snapshot snapshot;
    Region h = variable(1, 1);
    put_word(h, 0, first);
    snapshot.add(h);
    Region number = variable(2, 2);
    put(number, 0, &n, sizeof n);
    snapshot.add(number);
    snapshot.add(variable(3, 3));
    for (const auto &[index, address] : {std::pair{10, first}, {11, second}}) {
      Region node = region(static_cast<uint64_t>(index), address, 16);
      node.number = 1;
      if (index == 10)
        put_word(node, 8, second);
      snapshot.add(node);
    }
    return snapshot;
  }
  static Region variable(uint64_t index, uint32_t number) {
    Region made = region(index, 0x1000 + index * 8, 8, CULPRIT_REGION_GLOBAL);
    made.number = number;
    return made;
  }
  Naming naming{{passing, tables}, {failing, tables}};
};

// The name that the only thing there has.
std::string name_at(const Naming &naming, const Place &place, uint32_t size = 8) {
  const auto found = naming.describe(Difference{place, size});
  return found.size() == 1 ? found[0].name : "?";
}

std::string failing_at(const Naming &naming, const Place &place, uint32_t size = 8) {
  const auto found = naming.describe(Difference{place, size});
  return found.size() == 1 ? found[0].failing : "?";
}

TEST(Naming, PlacesAreNamedByTheShortestWayFromAVariable) {
  Scene scene;
  for (Snapshot *each : {&scene.passing, &scene.failing}) {
    put_word(*each->find(3), 0, each == &scene.passing ? 5 : 6);
    put_word(*each->find(11), 0, each == &scene.passing ? 5 : 6);
  }
  EXPECT_EQ(name_at(scene.naming, {1, 0}), "h");
  EXPECT_EQ(name_at(scene.naming, {2, 4}, 4), "count::n+4");
  EXPECT_EQ(name_at(scene.naming, {3, 0}), "(temporary)");
  EXPECT_EQ(name_at(scene.naming, {10, 8}), "h->(8)");
  EXPECT_EQ(name_at(scene.naming, {11, 0}), "h->(8)->(0)");
  EXPECT_EQ(name_at(scene.naming, {99, 0}), "?");
}

// struct node { int val; struct node *next; } *h
void add_types(Tables &tables) {
  tables.types.add({.kind = Type::Kind::pointer, .size = 8, .of = 2});
  tables.types.add({.kind = Type::Kind::record,
                    .name = "node",
                    .size = 16,
                    .members = {{"val", 0, 3}, {"next", 8, 1}}});
  tables.types.add({.kind = Type::Kind::signed_number, .name = "int", .size = 4});
  tables.names[0].type = 1;
}

TEST(Naming, MembersHaveTheirNames) {
  Scene scene;
  add_types(scene.tables);
  put_word(*scene.failing.find(11), 0, 7);
  const Naming naming({scene.passing, scene.tables}, {scene.failing, scene.tables});
  EXPECT_EQ(name_at(naming, {10, 8}), "h->next");
  EXPECT_EQ(name_at(naming, {11, 0}, 4), "h->next->val");
  EXPECT_EQ(failing_at(naming, {11, 0}, 4), "7");
}

// Two nodes in one run, three in the other.
TEST(Naming, OfABlockOfAnotherSizeItIsToldHowManyThereAreAndTheFirstThatDiffer) {
  Scene scene;
  add_types(scene.tables);
  for (Snapshot *each : {&scene.passing, &scene.failing}) {
    Region &block = *each->find(10);
    block.size = each == &scene.passing ? 32 : 48;
    block.bytes->resize(block.size);
    put_word(block, 0, each == &scene.passing ? 5 : 6);
  }
  const Naming naming({scene.passing, scene.tables}, {scene.failing, scene.tables});
  const auto found = naming.describe(Difference{{10, 0}, 0});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "*h");
  EXPECT_EQ(found[0].passing, "2 elements");
  EXPECT_EQ(found[0].failing, "3 elements");
  EXPECT_EQ(found[1].name, "h->val");
  EXPECT_EQ(found[1].failing, "6");
}

TEST(Naming, APointerToTheEndOfABlockSaysSo) {
  Scene scene;
  put_word(*scene.passing.find(3), 0, 0x20000 + 16);
  put_word(*scene.failing.find(3), 0, 0x80000 + 16);
  EXPECT_EQ(failing_at(scene.naming, {3, 0}), "the end of block 2 of list.c:14");
}

// Memory that a block has got so that it can become as large as the other run's.
TEST(Naming, APointerToTheRoomBehindABlockIsNoText) {
  Scene scene;
  scene.tables.types.add({.kind = Type::Kind::pointer, .size = 8, .of = 2});
  scene.tables.types.add({.kind = Type::Kind::character, .name = "char", .size = 1});
  scene.tables.names[2].type = 1;
  for (Snapshot *each : {&scene.passing, &scene.failing}) {
    Region &text = *each->find(11);
    text.room = 64;
    put(text, 0, "abcd", 4);
    put_word(*each->find(3), 0, text.address + (each == &scene.passing ? 2 : 40));
  }
  const Naming naming({scene.passing, scene.tables}, {scene.failing, scene.tables});
  const auto found = naming.describe(Difference{{3, 0}, 8});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].passing, "\"cd\"");
  EXPECT_EQ(found[0].failing, "block 2 of list.c:14[40]");
}

// A text that differs behind its end, or behind what is shown of it, is told by the letter.
TEST(Naming, AVariableOfLettersIsTextAsFarAsThatTellsThemApart) {
  Tables tables{.unit = 0, .sites = {}, .names = {{"line", "", 2}}};
  tables.types.add({.kind = Type::Kind::character, .size = 1});
  tables.types.add({.kind = Type::Kind::array, .size = 100, .of = 1, .count = 100});
  const auto memory = [](std::string text) {
    Snapshot snapshot;
    Region line = region(1, 0x1000, 100, CULPRIT_REGION_GLOBAL);
    line.number = 1;
    put(line, 0, text.data(), text.size());
    snapshot.add(line);
    return snapshot;
  };
  const std::string hidden("ab\0x", 4);
  const Snapshot passing = memory("abc");
  const Snapshot other = memory("abd");
  const Snapshot behind = memory(hidden);
  const Snapshot same = memory("ab");
  const auto texts = Naming({passing, tables}, {other, tables}).describe({Difference{{1, 0}, 4}});
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_EQ(texts[0].name + " " + texts[0].failing, "line \"abd\"");
  const auto letters = Naming({same, tables}, {behind, tables}).describe({Difference{{1, 0}, 4}});
  ASSERT_EQ(letters.size(), 1U);
  EXPECT_EQ(letters[0].name, "line[3]");
}

TEST(Naming, ALocalOfAnotherFunctionGoesByItsFunction) {
  Scene scene;
  scene.tables.names.push_back({"here", "inner"});
  Snapshot failing;
  Region here = region(20, 0x7000, 8, CULPRIT_REGION_LOCAL);
  here.number = 4;
  Region there = region(21, 0x7100, 8, CULPRIT_REGION_LOCAL);
  there.number = 2;
  for (Region *each : {&here, &there})
    failing.add(*each);
  Snapshot passing = failing;
  put_word(*failing.find(20), 0, 1);
  put_word(*failing.find(21), 0, 1);
  const Naming naming({passing, scene.tables}, {failing, scene.tables});
  EXPECT_EQ(name_at(naming, {20, 0}), "here");
  EXPECT_EQ(name_at(naming, {21, 0}), "count::n");
}

TEST(Naming, ABlockHasOneNumberInBothRuns) {
  const Scene scene;
  const auto h = scene.naming.describe(Difference{{1, 0}, 8});
  ASSERT_EQ(h.size(), 1U);
  EXPECT_EQ(h[0].passing, "block 1 of list.c:14");
  EXPECT_EQ(h[0].failing, "block 1 of list.c:14");
  EXPECT_EQ(failing_at(scene.naming, {10, 8}), "block 2 of list.c:14");
}

TEST(Naming, NumbersAreNumbersAndNoPointerIsNull) {
  const Scene scene;
  const auto n = scene.naming.describe(Difference{{2, 0}, 8});
  ASSERT_EQ(n.size(), 1U);
  EXPECT_EQ(n[0].passing, "3");
  EXPECT_EQ(n[0].failing, "-4");
  EXPECT_EQ(failing_at(scene.naming, {2, 0}, 4), "-4");
  EXPECT_EQ(failing_at(scene.naming, {2, 0}, 1), "252");
  Scene other;
  put_word(*other.failing.find(1), 0, 0);
  const Naming naming({other.passing, other.tables}, {other.failing, other.tables});
  EXPECT_EQ(failing_at(naming, {1, 0}), "NULL");
}

TEST(Naming, APartOfATextIsText) {
  Scene scene;
  const auto value = [&](std::string_view bytes) {
    put(*scene.failing.find(11), 4, bytes.data(), 4);
    return failing_at(scene.naming, {11, 4}, 4);
  };
  EXPECT_EQ(value("bib\0"), "\"bib\"");
  EXPECT_EQ(value("a(b,"), "\"a(b,\"");
  EXPECT_EQ(value(std::string_view("a\0\0\0", 4)), "97");
  EXPECT_EQ(value(std::string_view("ab\0c", 4)), "1660969569");
  EXPECT_EQ(value(std::string_view("\1\0\0\0", 4)), "1");
}

} // namespace
} // namespace culprit::explain
