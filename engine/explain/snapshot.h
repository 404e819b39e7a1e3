// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a run at a point, by index (abi/explain.h).
#pragma once

#include "abi/explain.h"
#include "engine/error.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace culprit::explain {

struct Region {
  uint64_t index = 0;
  uint64_t address = 0;
  uint64_t size = 0;
  uint32_t kind = 0;                     // culprit_region_kind
  uint32_t number = 0;                   // of a file: the descriptor
  std::optional<std::string> bytes = {}; // none: contents are not told
  uint64_t room = 0;                     // of what is made while it runs: how large it may become
};

// A place in memory whatever the run: the canonical value of a pointer.
struct Place {
  uint64_t region = 0; // its index
  uint64_t offset = 0;
  auto operator<=>(const Place &) const = default;
};

class Snapshot {
public:
  // A region whose index another has already is left out: nobody could tell them apart.
  void add(Region region);

  const std::vector<Region> &regions() const { return regions_; }
  Region *find(uint64_t index);
  const Region *find(uint64_t index) const;
  // The place that a number is the address of; nothing: it is none.
  std::optional<Place> place_of(uint64_t address) const;
  // What a region holds from there on, at most so much: nothing where a pointer goes to its room.
  static std::string_view bytes(const Region &region, uint64_t offset,
                                uint64_t most = std::string_view::npos);
  // Eight bytes of a region, which it must have.
  static uint64_t word(const Region &region, uint64_t offset);

private:
  std::vector<Region> regions_;
  std::unordered_map<uint64_t, size_t> by_index_;
  std::map<uint64_t, size_t> by_address_;
  // Regions that may have others in them: memory of a pool, beside the objects it has handed out.
  std::map<uint64_t, size_t> around_;
};

Result<Snapshot> parse_snapshot(std::string_view bytes);
Result<Snapshot> read_snapshot(const std::filesystem::path &file);

} // namespace culprit::explain
