// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a locate flavour says of its definitions and places (abi/sites.h): the numbers that ids and
// crashes have (abi/locate.h), as places in the source.
//
// Rules: the frames may be damaged or hostile: every position is checked here, once, so that a
// reader of a table may follow it; a table that points outside itself is an Error. Rows stay as
// short as the file has them (a program has a million), and become words when asked for.
#pragma once

#include "abi/locate.h"
#include "engine/error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::locate {

// Parts of an id.
inline uint64_t time_of(uint64_t id) { return (id & ~CULPRIT_ID_CORRUPT) >> CULPRIT_ID_TIME_SHIFT; }
inline uint32_t definition_of(uint64_t id) {
  return static_cast<uint32_t>(id & CULPRIT_ID_DEFINITION_MASK);
}
inline bool is_corrupt(uint64_t id) { return (id & CULPRIT_ID_CORRUPT) != 0; }
// Of memory that nobody has written (flavour origins).
inline bool is_unwritten(uint64_t id) {
  return !is_corrupt(id) && (id & CULPRIT_ID_UNWRITTEN) != 0;
}

struct Location {
  std::string file;
  unsigned line = 0; // 0: unknown
  unsigned column = 0;
  std::string function; // linkage name
  bool operator==(const Location &) const = default;
};

enum class DefinitionKind {
  store,
  constant,
  call,
  library,
  allocation,
  free,
  variable,
  global,
  byval,
};

enum class PlaceKind { load, store, call, divide, stop, free };
enum class Role { base, index, pointer, argument, condition, divisor, guard };

// "store", "index", … as the tables have them.
std::string_view name_of(DefinitionKind kind);
std::string_view name_of(PlaceKind kind);
std::string_view name_of(Role role);

struct Definition {
  DefinitionKind kind = DefinitionKind::store;
  Location at = {};
  std::string variable = {};            // what is written; empty: cannot be told
  std::string callee = {};              // of calls, library writers, allocations and frees
  std::vector<std::string> leaves = {}; // what the value is computed from
  // Bytes of a store; of a library function: of the member of a record that it writes, with others
  // behind it. 0: not known.
  uint64_t size = 0;
  std::string object = {}; // the variable it is meant to write; empty: depends on the address
  bool update = false;     // the value is made from what was there
  bool member =
      false;          // an element of a member of a record is stored, with others behind the member
  bool local = false; // it is meant for a local variable
  bool small = false; // the value is a constant that leads no index far
};

struct Leaf {
  std::string name;
  Role role = Role::pointer;
};

struct Place {
  PlaceKind kind = PlaceKind::load;
  Location at = {};
  uint64_t size = 0; // bytes accessed
  std::string callee = {};
  std::vector<Leaf> leaves = {}; // in the order of the crash's
};

// The tables of a unit, in memory as in the file: positions in `strings`.
struct Tables {
  struct DefinitionRow {
    DefinitionKind kind;
    uint32_t file, line, column, function, variable, callee;
    uint32_t first_leaf, leaves; // in leaf_names
    uint32_t size = 0, object = 0;
    bool update = false, member = false, local = false, small = false;
  };
  struct PlaceRow {
    PlaceKind kind;
    uint32_t file, line, column, function, callee;
    uint64_t size;
    uint32_t first_leaf, leaves; // in place_leaves
  };
  struct LeafRow {
    uint32_t name;
    Role role;
  };

  uint64_t unit = 0;
  std::vector<std::string> strings;
  std::vector<DefinitionRow> definitions; // the position + 1 is the number
  std::vector<PlaceRow> places;
  std::vector<uint32_t> leaf_names;
  std::vector<LeafRow> place_leaves;

  // Nothing for 0 and for numbers that the tables do not have.
  std::optional<Definition> definition(uint32_t number) const;
  std::optional<Place> place(uint32_t number) const;
  std::optional<DefinitionKind> kind(uint32_t definition) const;
  // The place of the store that a definition is; 0: it is none, or there are several.
  uint32_t place_of_store(uint32_t definition) const;
  // The definition of the library function that is called at a place; 0: none, or there are
  // several.
  uint32_t library_writer_at(uint32_t place) const;
};

// The payload of one frame.
Result<Tables> parse_tables(std::string_view json);

// The tables of a flavour's executable; its only unit so far. Every error names the file.
Result<Tables> read_tables(const std::filesystem::path &flavour);
Result<Tables> read_tables_bytes(std::string_view elf, const std::filesystem::path &name);

} // namespace culprit::locate
