// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sites of a flavour (abi/sites.h): read from its frames, and found again by the numbers a run
// file has of them.
//
// A unit's sites are numbered from the base the runtime gave it in that run; the pair (unit id,
// position) is what is constant. A context is a chain of four such numbers. Rules: the frames may
// be damaged or hostile; a number that no known unit covers is no error but an unknown site (a
// shared object without a flavour, a number too large for a context).
#pragma once

#include "engine/error.h"
#include "engine/run/run_file.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::heap {

enum class SiteKind { call, alloc, store, free, other };

// Where inlined code was called.
struct InlinedAt {
  std::string function; // linkage name
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

struct Site {
  uint64_t id = 0; // static: the same after a rebuild
  SiteKind kind = SiteKind::other;
  std::string file;
  unsigned line = 0; // 0: unknown
  unsigned column = 0;
  std::string function;          // linkage name
  std::string callee;            // of calls and allocs
  std::string type;              // of allocs, if known
  std::vector<std::string> from; // of stores: linkage names, nearest first
  bool wrapper = false;
  std::vector<InlinedAt> at{}; // of stores and frees: innermost caller first
};

using SiteTables = std::map<uint64_t, std::vector<Site>>; // unit id → its sites by position
using SharedSites = std::shared_ptr<const SiteTables>;    // runs point into it

// The payload of one frame.
Result<std::vector<Site>> parse_sites(std::string_view json);

// All units of a flavour's executable or shared object; a file without any gives an empty table.
// Every error names the file.
Result<SiteTables> read_sites(const std::filesystem::path &flavour);
Result<SiteTables> read_sites_bytes(std::string_view elf, const std::filesystem::path &name);

// The payload of every table of a flavour, with its unit's id: other readers of the same frames.
using EachTable = std::function<Result<void>(uint64_t unit, std::string_view json)>;
Result<void> each_table(std::string_view elf, const std::filesystem::path &name,
                        const EachTable &each);

// An executable and its shared objects together.
Result<SharedSites> read_all_sites(std::span<const std::filesystem::path> flavours);

// The numbers of one run.
class SiteNumbers {
public:
  SiteNumbers() = default;
  SiteNumbers(const SiteTables &tables, std::span<const run::Unit> units);
  const Site *at(uint32_t number) const; // null: unknown
  // Of a context, innermost (newest) first; unknown sites in between are null, the unused end is
  // left out.
  std::vector<const Site *> chain(uint64_t context) const;

private:
  std::map<uint32_t, std::span<const Site>> by_base_;
};

// The site a block is named after: the innermost that does not merely hand out memory, else the
// outermost known one; null if none is known.
const Site *allocation_site(std::span<const Site *const> chain);

std::string id_text(uint64_t id);                       // 16 hexadecimal digits
std::optional<uint64_t> id_of(std::string_view text);   // and back; nothing if it is no such text
std::string display_function(std::string_view linkage); // demangled; a C name as it is
std::string short_function(std::string_view linkage);   // demangled, without parameters

} // namespace culprit::heap
