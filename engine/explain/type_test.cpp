// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/type.h"

#include "engine/explain/value_text.h"

#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

using Kind = Type::Kind;

// 1 int, 2 char, 3 char[8], 4 struct point { int x; char mark; int y; }, 5 point[3], 6 struct owner
// : empty (7), point { char name[8]; _M_impl { _M_start: pointer (8) } }, 9 enum, 10 point,
// declared only, 11 long, 12 double
Types types() {
  Types all;
  all.add({.kind = Kind::signed_number, .name = "int", .size = 4});
  all.add({.kind = Kind::character, .name = "char", .size = 1});
  all.add({.kind = Kind::array, .size = 8, .of = 2, .count = 8});
  all.add({.kind = Kind::record,
           .name = "point",
           .size = 12,
           .members = {{"x", 0, 1}, {"mark", 4, 2}, {"y", 8, 1}}});
  all.add({.kind = Kind::array, .size = 36, .of = 4, .count = 3});
  all.add({.kind = Kind::record,
           .name = "owner",
           .size = 24,
           .members = {{"", 0, 7}, {"_M_impl", 0, 13}, {"name", 8, 3}, {"__tail", 16, 1}}});
  all.add({.kind = Kind::record, .name = "empty", .size = 1});
  all.add({.kind = Kind::pointer, .size = 8, .of = 4});
  all.add({.kind = Kind::enumeration, .size = 4, .members = {{"kRed", 0, 0}, {"kBlue", ~0ULL, 0}}});
  all.add({.kind = Kind::record, .name = "point", .size = 0});
  all.add({.kind = Kind::signed_number, .name = "long", .size = 8});
  all.add({.kind = Kind::floating, .name = "double", .size = 8});
  all.add({.kind = Kind::record, .name = "impl", .size = 8, .members = {{"_M_start", 0, 8}}});
  all.complete();
  return all;
}

TEST(Types, APlaceIsNamedByTheMembersAroundIt) {
  const Types all = types();
  EXPECT_EQ(leaf_at(all, 5, 32).path, "[2].y");
  EXPECT_EQ(leaf_at(all, 5, 34).start, 32U);
  EXPECT_EQ(leaf_at(all, 1, 2).path, "");
  EXPECT_EQ(leaf_at(all, 1, 2).size, 4U);
  EXPECT_EQ(leaf_at(all, 4, 5).size, 0U) << "padding";
  EXPECT_EQ(leaf_at(all, 4, 12).size, 0U) << "outside";
  EXPECT_EQ(leaf_at(all, 0, 0).size, 0U) << "not known";
}

TEST(Types, WhatLiesThereTellsWhichMemberOfAUnionIsMeant) {
  Types all = types(); // 14 union { long number; struct point *to; double real; }
  all.add({.kind = Kind::one_of,
           .name = "value",
           .size = 8,
           .members = {{"number", 0, 11}, {"to", 0, 8}, {"real", 0, 12}}});
  EXPECT_EQ(leaf_at(all, 14, 0, Holds::address).path, ".to");
  EXPECT_EQ(leaf_at(all, 14, 0, Holds::number).path, ".number");
  EXPECT_EQ(leaf_at(all, 14, 4).path, ".number");
  EXPECT_EQ(leaf_behind(all, 14, 16, Holds::address).path, "[2].to");
}

TEST(Types, ATextIsOneThing) {
  const Leaf leaf = leaf_at(types(), 6, 11);
  EXPECT_EQ(leaf.path, ".name");
  EXPECT_TRUE(leaf.is_text);
  EXPECT_EQ(leaf.start, 8U);
  EXPECT_EQ(leaf.size, 8U);
}

TEST(Types, OfReservedNamesTheLastIsKeptAndEmptyBasesAreNotInTheWay) {
  const Types all = types();
  EXPECT_EQ(leaf_at(all, 6, 0).path, "._M_start");
  EXPECT_EQ(leaf_at(all, 6, 16).path, ".__tail");
}

TEST(Types, ARecordThatIsOnlyDeclaredIsTheOneOfItsName) {
  EXPECT_EQ(leaf_at(types(), 10, 8).path, ".y");
}

TEST(Types, BehindAPointerThereMayBeMore) {
  const Types all = types();
  EXPECT_EQ(leaf_behind(all, 4, 8).path, ".y");
  EXPECT_EQ(leaf_behind(all, 4, 20).path, "[1].y");
  EXPECT_EQ(leaf_behind(all, 4, 20).start, 20U);
  EXPECT_EQ(leaf_behind(all, 0, 20).size, 0U);
}

TEST(Types, ATypeThatHoldsItselfEnds) {
  Types all;
  all.add({.kind = Kind::record, .size = 8, .members = {{"a", 0, 1}, {"b", 0, 1}}});
  EXPECT_EQ(leaf_at(all, 1, 0).size, 0U);
}

template <typename Number> std::string_view bytes_of(const Number &number) {
  return {reinterpret_cast<const char *>(&number), sizeof number};
}

TEST(Values, AreAsTheirTypeHasThem) {
  const Types all = types();
  EXPECT_EQ(typed_value(bytes_of(-4), all, 1), "-4");
  EXPECT_EQ(typed_value("x", all, 2), "'x'");
  EXPECT_EQ(typed_value("\n", all, 2), "'\\n'");
  EXPECT_EQ(typed_value(std::string_view("\0", 1), all, 2), "0");
  EXPECT_EQ(typed_value(bytes_of(-1), all, 9), "kBlue");
  EXPECT_EQ(typed_value(bytes_of(7), all, 9), "7");
  EXPECT_EQ(typed_value(bytes_of(0.5), all, 12), "0.5");
  EXPECT_EQ(typed_value(bytes_of(int64_t{-9}), all, 11), "-9");
}

// struct flags { bool ready : 1; int level : 3; unsigned count : 12; char mark; }, four bytes each
TEST(Types, ABitFieldIsKnownByItsBits) {
  Types all;
  all.add({.kind = Kind::boolean, .size = 1});
  all.add({.kind = Kind::signed_number, .size = 4});
  all.add({.kind = Kind::unsigned_number, .size = 4});
  all.add(
      {.kind = Kind::record,
       .size = 4,
       .members = {
           {"ready", 0, 1, 0, 1}, {"level", 0, 2, 1, 3}, {"count", 0, 3, 4, 12}, {"mark", 2, 1}}});
  const Leaf first = leaf_at(all, 4, 0);
  ASSERT_EQ(first.bits.size(), 3U);
  EXPECT_EQ(first.bits[1].path, ".level");
  const Leaf second = leaf_behind(all, 4, 5);
  ASSERT_EQ(second.bits.size(), 1U) << "only one goes on";
  EXPECT_EQ(second.bits[0].path, "[1].count");
  EXPECT_EQ(second.bits[0].first, 36U);
  EXPECT_EQ(leaf_at(all, 4, 2).path, ".mark");
  EXPECT_TRUE(leaf_at(all, 4, 2).bits.empty());
  // ready, level -3, count 0xabc
  const std::string_view bytes = "\xcb\xab";
  EXPECT_EQ(bits_value(bytes, first.bits[0], all), "true");
  EXPECT_EQ(bits_value(bytes, first.bits[1], all), "-3");
  EXPECT_EQ(bits_value(bytes, first.bits[2], all), "2748");
}

TEST(Values, ATextEndsWithItsZeroAndCanBePrinted) {
  EXPECT_EQ(text_value(std::string_view("ab\0cd", 5), 40), "\"ab\"");
  EXPECT_EQ(text_value("a\"\n\x01", 40), "\"a\\\"\\n\\x01\"");
  EXPECT_EQ(text_value("abcdef", 3), "\"abc…\"");
}

} // namespace
} // namespace culprit::explain
