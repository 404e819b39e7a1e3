// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a flavour says about its accesses (abi/sites.h): access sites, rows, variables and layouts
// of every unit, read from the same frames as the sites of the heap.
//
// Rules: the frames may be damaged or hostile: every position is checked here, once, so that a
// reader of a table may follow it; a table that points outside itself is an Error.
#pragma once

#include "engine/error.h"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::access {

// A place in the source that reads or writes.
struct AccessSite {
  uint64_t id = 0; // static: the same after a rebuild
  std::string file;
  unsigned line = 0; // 0: unknown
  unsigned column = 0;
  std::string function; // linkage name
  std::string callee;   // the library function that reads or writes on its behalf
  bool read = false;
  bool direct = false; // every copy is a named variable at a fixed place: pruned
  auto operator<=>(const AccessSite &) const = default;
};

// What an access of one size at one site knows; see abi/access.h.
struct AccessRow {
  uint32_t site = 0; // position in UnitTables::sites
  uint8_t size = 0;
  uint8_t flags = 0; // culprit_row_flag
};

enum class VariableKind { global, local, return_slot, outside };

struct Variable {
  VariableKind kind = VariableKind::global;
  std::string name; // empty for return slots
  std::string function;
  std::string file;
  unsigned line = 0;
  uint64_t size = 0;
  std::string type;
  std::optional<uint32_t> layout; // position in UnitTables::layouts
  bool internal = false;          // only its file sees it
  std::string member; // of a program as it is, whose names are told one by one: a member of it
};

struct Member {
  std::string name; // path from the outer type: "head.next", "cells[].key"
  uint32_t start = 0;
  bool array = false;
};

struct Layout {
  std::string type;
  uint64_t size = 0;
  uint32_t rest = 0; // member + 1 that goes on behind `size`; 0: the layout is repeated
  std::vector<Member> members;
};

struct UnitTables {
  std::vector<AccessSite> sites;
  std::vector<AccessRow> rows;
  std::vector<Variable> variables;
  std::vector<Layout> layouts;
};

using AccessTables = std::map<uint64_t, UnitTables>; // unit id → its tables
using SharedTables = std::shared_ptr<const AccessTables>;

// The payload of one frame; one without accesses gives empty tables.
Result<UnitTables> parse_tables(std::string_view json);

// All units of a flavour's executable or shared object. Every error names the file.
Result<AccessTables> read_tables(const std::filesystem::path &flavour);
Result<AccessTables> read_tables_bytes(std::string_view elf, const std::filesystem::path &name);

// An executable and its shared objects together.
Result<SharedTables> read_all_tables(std::span<const std::filesystem::path> flavours);

// Does any unit watch reads?
bool watches_reads(const AccessTables &tables);

} // namespace culprit::access
