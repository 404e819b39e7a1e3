// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model file: the training runs of one program (of any number of builds of it) in one SQLite
// file. docs/formats.md has the schema.
//
// Only facts are stored: runs, and the program's static site ids. Classes and ranges are learned
// again on load, so merging is the union of the runs by their content key, and is associative and
// commutative. Each run is a transaction of its own: killing the writer loses at most the run in
// flight, and a reader sees whole runs only.
// Rules: the file may be damaged or hostile; every row is checked before it is used; every failure
// is one Error that says what to do.
#pragma once

#include "engine/access/history.h"
#include "engine/access/judge.h"
#include "engine/error.h"
#include "engine/heap/sites.h"
#include "engine/heap/summary.h"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace culprit::model {

// A static site the program has, as it was in some build.
struct KnownSite {
  std::string function; // linkage name
  std::string file;
  unsigned line = 0;
  std::string type;
  auto operator<=>(const KnownSite &) const = default;
};

struct Contents {
  std::map<std::string, heap::RunSummary> runs; // by content key
  std::map<uint64_t, KnownSite> sites;          // calls and allocs, by static id
  std::map<std::string, std::string> builds;    // build id → path of the executable
  access::History access;                       // its runs have keys of their own
};

// Hash of build id, arguments, input and series: 32 hexadecimal digits.
std::string content_key(const heap::RunSummary &run);

// Union: runs and builds by key, sites by id (of two descriptions the greater).
Contents merge(const Contents &a, const Contents &b);

// Runs in a fixed order (arguments, then key): what learn() and reports are given.
std::vector<heap::RunSummary> ordered_runs(const Contents &contents);
std::vector<std::string> ordered_keys(const Contents &contents);

// A whole file, read-only.
Result<Contents> read(const std::filesystem::path &path);
// The same, or nothing: there is none yet, or one without a page, which is what a killed `train`
// left. It is looked for and read in one step, since another `train` may take away the one it has
// made.
Result<std::optional<Contents>> read_if_any(const std::filesystem::path &path);
// Can a file be made or changed there? For those who have much to do before they write it.
Result<void> check_writable(const std::filesystem::path &path);
// A whole file, replaced in one step (written beside and renamed).
Result<void> write(const std::filesystem::path &path, const Contents &contents);

struct Overlap {
  size_t known = 0; // of the program's call and alloc sites, in the model
  size_t total = 0;
};
// How much of the program the model knows. Fails if that is below the setting program_overlap: then
// it is the model of another program.
Result<Overlap> overlap_with(const Contents &contents, const heap::SiteTables &program,
                             const heap::HeapSettings &settings, const std::filesystem::path &path);

} // namespace culprit::model
