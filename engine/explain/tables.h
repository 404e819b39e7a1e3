// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the explain flavour says of its sites and variables (abi/sites.h): the numbers of traces and
// snapshots (abi/explain.h), as places and names in the source.
//
// Rules: the frames may be damaged or hostile; every position is checked here, once.
#pragma once

#include "abi/explain.h"
#include "engine/error.h"
#include "engine/explain/type.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::explain {

inline constexpr std::string_view kSystemFiles = CULPRIT_SYSTEM_FILES;

struct Location {
  std::string file;
  unsigned line = 0; // 0: unknown
  unsigned column = 0;
  std::string function; // linkage name
  bool operator==(const Location &) const = default;
};

struct Site {
  uint64_t id = 0; // the same in every build that has the place
  Location at = {};
  unsigned ways = 0; // how many other ways it may go on; of a switch all, its own too
  bool allocates = false;
};

struct Name {
  std::string name; // empty: a temporary
  std::string function;
  uint32_t type = 0; // of types; 0: not known
};

struct Tables {
  uint64_t unit = 0;
  std::vector<Site> sites; // the position + 1 is the number
  std::vector<Name> names;
  Types types = {};

  // Null for 0 and for numbers that the tables do not have.
  const Site *site(uint32_t number) const {
    return number == 0 || number > sites.size() ? nullptr : &sites[number - 1];
  }
  const Name *name(uint32_t number) const {
    return number == 0 || number > names.size() ? nullptr : &names[number - 1];
  }
};

// The payload of one frame.
Result<Tables> parse_tables(std::string_view json);

// The tables of a flavour's executable. Every error names the file.
Result<Tables> read_tables(const std::filesystem::path &flavour);

} // namespace culprit::explain
