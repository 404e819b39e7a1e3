// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run file as the access analysis sees it: which access site met which name, under what
// circumstances first, how often, and in which periods.
//
// A pair is (static id of the site, key of the name); rows of several sizes, copies of one place
// and contexts with the same call sites fall together. Rules: numbers of the file are resolved
// here; one that no table covers (an object without a flavour, a torn file) is counted in
// `unresolved` and left out, since without an identity there is nothing to compare. An AccessRun
// needs nothing but itself; tests build it by hand.
#pragma once

#include "engine/access/names.h"
#include "engine/access/tables.h"
#include "engine/heap/sites.h"
#include "engine/run/run_file.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace culprit::access {

constexpr uint32_t kNoName = UINT32_MAX;

struct MetName {
  Name name;
  uint64_t key = 0;                      // key_of(name)
  std::vector<const heap::Site *> chain; // of blocks, newest first; null: unknown code
};

// A pair, as it was met first.
struct Met {
  const AccessSite *site = nullptr; // never null
  uint32_t name = 0;                // position in AccessRun::names
  bool direct = false;           // as the site: a pair is told once, by the copy that made it first
  uint64_t count = 0;            // 0: not counted (a flavour for checking, or it died)
  std::vector<uint32_t> periods; // in which it was met, ascending
  uint64_t address = 0;          // of the first byte with this name
  uint64_t start = 0;            // of the object
  uint64_t size = 0;             // of the object
  uint32_t length = 0;           // bytes of the access with this name
  uint32_t before = kNoName;     // position in AccessRun::names: what lies before it
  uint32_t previous = kNoName;   // and who lived here before it
  uint64_t work = 0;             // when
  std::vector<uint64_t> stack;   // return addresses, innermost first
};

struct AccessRun {
  bool watched = false; // the flavour watches accesses at all
  bool reads = false;   // reads, too
  bool counted = false;
  bool whole_program = true; // the tables have all sites of the program, not those alone that ran
  std::vector<MetName> names;
  std::vector<Met> pairs; // in the order they were met
  uint32_t periods = 1;
  uint64_t unresolved = 0; // records of rows or names that are not known
  std::optional<culprit_record_watch> watch;
  SharedTables tables;              // what `site` points into
  heap::SharedSites heap_sites;     // what `chain` points into
  std::vector<run::Module> modules; // for symbolizing stacks

  // For events, which have the numbers of the run.
  const AccessSite *site_of_row(uint32_t row) const; // null: unknown
  const AccessRow *row(uint32_t row) const;
  uint32_t name_of(uint32_t number) const; // position in names, or kNoName

  std::map<uint32_t, uint64_t> unit_of_row_base; // first row → unit id
  std::map<uint32_t, uint32_t> name_numbers;     // of the run → position in names
};

// Fails for records that contradict one another (a name with two meanings, a unit with more rows
// than its table).
Result<AccessRun> access_run(const run::RunFile &file, SharedTables tables,
                             heap::SharedSites heap_sites);

} // namespace culprit::access
