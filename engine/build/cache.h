// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache of flavours under ${XDG_CACHE_HOME:-~/.cache}/culprit. An entry is a folder named by a
// hash over what the flavour is made from and the culprit that made it; it holds the flavour and a
// note of its checksum.
//
// Rules: an entry appears by a rename, so it is whole or not there; a lock file per key lets
// several processes ask at once while one builds; a damaged entry is made anew; when the size limit
// is passed, the entries that were not used for the longest time go first.
#pragma once

#include "engine/build/carried.h"
#include "engine/build/flavour.h"
#include "engine/build/toolchain.h"
#include "engine/error.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace culprit::build {

struct CacheEntry {
  std::string key;
  std::string program; // base name of the file it was made from
  std::string flavour;
  uint64_t size = 0;
  std::filesystem::file_time_type last_used;
  std::filesystem::path file;
};

struct CachedFlavour {
  std::filesystem::path file;
  bool made = false; // just now, by us
};

class Cache {
public:
  // At the place the environment names. Nothing is created before it is needed.
  static Result<Cache> open();
  explicit Cache(std::filesystem::path root) : root_(std::move(root)) {}

  // The flavour of `carried`: from the cache, or made now. `on_make` is called before it is made.
  Result<CachedFlavour> flavour(const Toolchain &toolchain, const Carried &carried,
                                const FlavourKind &kind, unsigned jobs,
                                const std::function<void()> &on_make = {}) const;

  // The entry that flavour() would use, if it is there and whole.
  Result<std::optional<CacheEntry>> lookup(const Toolchain &toolchain, const Carried &carried,
                                           const FlavourKind &kind) const;

  std::vector<CacheEntry> entries() const; // oldest use first
  uint64_t limit() const;                  // bytes
  Result<void> set_limit(uint64_t bytes) const;
  Result<uint64_t> clear() const; // returns the bytes freed
  const std::filesystem::path &root() const { return root_; }

private:
  std::filesystem::path entry_path(const std::string &key) const;
  std::optional<CacheEntry> read_entry(const std::string &key) const;
  void evict(uint64_t limit, const std::string &spared) const;

  std::filesystem::path root_;
};

} // namespace culprit::build
