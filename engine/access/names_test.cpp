// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/access/names.h"

#include <gtest/gtest.h>

#include <set>

namespace culprit::access {
namespace {

Name global(const char *symbol) {
  Name name;
  name.symbol = symbol;
  name.file = "/a.c";
  name.line = 3;
  return name;
}

Name block(std::vector<uint64_t> chain) {
  Name name;
  name.kind = NameKind::heap;
  name.chain = std::move(chain);
  name.function = "make";
  name.file = "/src/list.c";
  name.line = 52;
  name.type = "struct node";
  return name;
}

TEST(Names, WhatIdentifiesANameChangesItsKey) {
  std::set<uint64_t> keys;
  const auto is_new = [&](Name name) { return keys.insert(key_of(name)).second; };
  EXPECT_TRUE(is_new(global("a")));
  EXPECT_TRUE(is_new(global("b")));
  Name other = global("a");
  other.line = 9;
  other.file = "/moved.c";
  EXPECT_FALSE(is_new(other)) << "a symbol the linker sees is one thing wherever it is declared";
  other.internal = true;
  EXPECT_TRUE(is_new(other));
  other.file = "/b.c";
  EXPECT_TRUE(is_new(other)) << "a static of another file";
  other.file = "/copy/b.c";
  EXPECT_FALSE(is_new(other)) << "the same tree in another folder";
  other.function = "f";
  EXPECT_TRUE(is_new(other)) << "a static of a function";
  other.kind = NameKind::local;
  EXPECT_TRUE(is_new(other));
  Name member = global("a");
  member.member = "head.next";
  EXPECT_TRUE(is_new(member));
  EXPECT_EQ(object_key(member), object_key(global("a")));
  EXPECT_TRUE(is_new(block({1, 2, 3, 4})));
  EXPECT_TRUE(is_new(block({1, 2, 3, 5})));
  EXPECT_TRUE(is_new(block({1, 2, 3})));
  Name behind = block({1, 2, 3, 4});
  behind.kind = NameKind::outside;
  EXPECT_TRUE(is_new(behind));
  behind.chain.clear();
  EXPECT_TRUE(is_new(behind));
  behind.symbol = "buf";
  EXPECT_TRUE(is_new(behind));
  behind.function = "other";
  EXPECT_TRUE(is_new(behind)) << "behind a local of another function";
  behind.line = 9;
  EXPECT_FALSE(is_new(behind)) << "the local was moved";
  Name described = block({1, 2, 3, 4});
  described.line = 60;
  described.type = "struct other";
  EXPECT_FALSE(is_new(described));
}

TEST(Names, FewerCallSitesMakeOneNameOfSeveral) {
  EXPECT_NE(key_of(block({1, 2, 3, 4})), key_of(block({1, 2, 9, 9})));
  EXPECT_EQ(key_of(block({1, 2, 3, 4}), 2), key_of(block({1, 2, 9, 9}), 2));
  EXPECT_NE(key_of(block({1, 2, 3, 4}), 2), key_of(block({1, 3, 3, 4}), 2));
  EXPECT_EQ(key_of(global("a"), 1), key_of(global("a")));
}

TEST(Names, OfContainersAreSaidAsWhatTheyHold) {
  Name name = block({1});
  const auto said = [&](const char *type, const char *member) {
    name.type = type;
    name.member = member;
    return shown(name).type + "." + shown(name).member;
  };
  EXPECT_EQ(
      said("_Rb_tree_node<std::pair<const int, Record> >", "_M_storage.second.route._M_elems"),
      "std::pair<const int, Record>.second.route");
  EXPECT_EQ(
      said("_Hash_node<std::pair<const int, std::array<int, 4> >, false>", "_M_storage.first"),
      "std::pair<const int, std::array<int, 4> >.first");
  EXPECT_EQ(said("_List_node<int>", "_M_storage"), "int.");
  EXPECT_EQ(said("_List_node<Entry>", "_M_next"), "_List_node<Entry>._M_next");
  EXPECT_EQ(said("Board", "cells._M_elems[].key"), "Board.cells[].key");
  EXPECT_EQ(said("array<Cell, 9>", "_M_elems[].key"), "array<Cell, 9>.key");
  EXPECT_EQ(said("array<int, 9>", "_M_elems"), "array<int, 9>.");
  EXPECT_EQ(said("Board", "grid._M_elems[]._M_elems"), "Board.grid[]");
  EXPECT_EQ(said("_List_node<", "_M_storage.x"), ".x") << "whatever a file says";
}

TEST(Names, AreSaidInWords) {
  Name name = block({1});
  name.member = "next";
  EXPECT_EQ(display(name), "block of struct node allocated at list.c:52 in make, member 'next'");
  EXPECT_EQ(short_display(name), "struct node (list.c:52).next");
  name.kind = NameKind::outside;
  name.member.clear();
  EXPECT_EQ(display(name), "memory behind a block of struct node allocated at list.c:52 in make");
  name.chain.clear();
  EXPECT_EQ(display(name), "memory of no object");
  Name local;
  local.kind = NameKind::local;
  local.symbol = "buf";
  local.function = "_ZN3app4loadEi";
  EXPECT_EQ(display(local), "local 'buf' of app::load");
  local.kind = NameKind::outside;
  EXPECT_EQ(display(local), "memory behind local 'buf' of app::load");
  Name table = global("table");
  table.kind = NameKind::outside;
  EXPECT_EQ(display(table), "memory behind global 'table'");
  EXPECT_EQ(short_display(local), "behind app::load:buf");
  local.kind = NameKind::return_slot;
  EXPECT_EQ(display(local), "return address of app::load");
  local.member = kSavedRegisters;
  EXPECT_EQ(display(local), "saved registers beside the return address of app::load");
  EXPECT_EQ(short_display(local), "saved registers of app::load");
  local.member.clear();
  EXPECT_EQ(display(global("table")), "global 'table'");
}

} // namespace
} // namespace culprit::access
