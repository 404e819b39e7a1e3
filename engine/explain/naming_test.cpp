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

TEST(Naming, PlacesAreNamedByTheShortestWayFromAVariable) {
  const Scene scene;
  EXPECT_EQ(scene.naming.name({1, 0}), "h");
  EXPECT_EQ(scene.naming.name({2, 4}), "n+4");
  EXPECT_EQ(scene.naming.name({3, 0}), "(temporary)");
  EXPECT_EQ(scene.naming.name({10, 8}), "h->(8)");
  EXPECT_EQ(scene.naming.name({11, 0}), "h->(8)->(0)");
  EXPECT_EQ(scene.naming.name({99, 0}), "?");
}

TEST(Naming, ABlockHasOneNumberInBothRuns) {
  const Scene scene;
  const Difference h{{1, 0}, 8};
  EXPECT_EQ(scene.naming.passing_value(h), "block 1 of list.c:14");
  EXPECT_EQ(scene.naming.failing_value(h), "block 1 of list.c:14");
  const Difference next{{10, 8}, 8};
  EXPECT_EQ(scene.naming.failing_value(next), "block 2 of list.c:14");
}

TEST(Naming, NumbersAreNumbersAndNoPointerIsNull) {
  const Scene scene;
  EXPECT_EQ(scene.naming.passing_value({{2, 0}, 8}), "3");
  EXPECT_EQ(scene.naming.failing_value({{2, 0}, 8}), "-4");
  EXPECT_EQ(scene.naming.failing_value({{2, 0}, 4}), "-4");
  EXPECT_EQ(scene.naming.failing_value({{2, 0}, 1}), "252");
  Scene other;
  put_word(*other.failing.find(1), 0, 0);
  const Naming naming({other.passing, other.tables}, {other.failing, other.tables});
  EXPECT_EQ(naming.failing_value({{1, 0}, 8}), "NULL");
}

TEST(Naming, APartOfATextIsText) {
  Scene scene;
  const auto value = [&](std::string_view bytes) {
    put(*scene.failing.find(11), 4, bytes.data(), 4);
    return scene.naming.failing_value({{11, 4}, 4});
  };
  EXPECT_EQ(value("bib\0"), "\"bib\"");
  EXPECT_EQ(value("a(b,"), "\"a(b,\"");
  EXPECT_EQ(value(std::string_view("a\0\0\0", 4)), "97");
  EXPECT_EQ(value(std::string_view("ab\0c", 4)), "1660969569");
  EXPECT_EQ(value(std::string_view("\1\0\0\0", 4)), "1");
}

} // namespace
} // namespace culprit::explain
