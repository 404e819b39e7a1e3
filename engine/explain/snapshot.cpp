// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See snapshot.h.
#include "engine/explain/snapshot.h"

#include "engine/build/file_bytes.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace culprit::explain {

// Of a block, behind which the runtime leaves a byte free: of other things the end may be the
// start of the next. What lies behind that is room for a larger one of the other run, into which
// pointers may be taken over.
static bool is_behind(const Region &region, uint64_t address) {
  const uint64_t room = std::max(region.size, region.room);
  const uint64_t offset = address - region.address;
  return region.kind == CULPRIT_REGION_BLOCK ? room != 0 && offset <= room : offset < region.room;
}

void Snapshot::add(Region region) {
  if (!by_index_.try_emplace(region.index, regions_.size()).second)
    return;
  if (region.kind != CULPRIT_REGION_FILE)
    (region.kind == CULPRIT_REGION_NATIVE ? around_ : by_address_)
        .try_emplace(region.address, regions_.size());
  regions_.push_back(std::move(region));
}

const Region *Snapshot::find(uint64_t index) const {
  const auto found = by_index_.find(index);
  return found == by_index_.end() ? nullptr : &regions_[found->second];
}

Region *Snapshot::find(uint64_t index) {
  const auto found = by_index_.find(index);
  return found == by_index_.end() ? nullptr : &regions_[found->second];
}

std::optional<Place> Snapshot::place_of(uint64_t address) const {
  const Region *ended = nullptr;
  for (const auto *known : {&by_address_, &around_}) {
    auto after = known->upper_bound(address);
    if (after == known->begin())
      continue;
    const Region &region = regions_[std::prev(after)->second];
    if (address - region.address < region.size)
      return Place{region.index, address - region.address};
    if (is_behind(region, address))
      ended = &region;
  }
  return ended == nullptr ? std::nullopt
                          : std::optional(Place{ended->index, address - ended->address});
}

std::string_view Snapshot::bytes(const Region &region, uint64_t offset, uint64_t most) {
  const std::string_view all = *region.bytes;
  return all.substr(std::min<uint64_t>(offset, all.size()), most);
}

uint64_t Snapshot::word(const Region &region, uint64_t offset) {
  uint64_t word = 0;
  std::memcpy(&word, region.bytes->data() + offset, sizeof word);
  return word;
}

Result<Snapshot> parse_snapshot(std::string_view bytes) {
  const auto damaged = [] { return fail("a snapshot is not readable"); };
  culprit_snapshot_header header{};
  if (bytes.size() < sizeof header)
    return damaged();
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != CULPRIT_SNAPSHOT_MAGIC || header.version != CULPRIT_SNAPSHOT_VERSION ||
      header.size != bytes.size() ||
      header.regions > (bytes.size() - sizeof header) / sizeof(culprit_snapshot_region))
    return damaged();
  Snapshot snapshot;
  for (uint64_t i = 0; i < header.regions; ++i) {
    culprit_snapshot_region row{};
    std::memcpy(&row, bytes.data() + sizeof header + i * sizeof row, sizeof row);
    Region region{row.index, row.address, row.size, row.kind, row.number, std::nullopt, row.room};
    if (row.bytes != 0) {
      if (row.bytes > bytes.size() || row.size > bytes.size() - row.bytes)
        return damaged();
      region.bytes = bytes.substr(row.bytes, row.size);
    }
    snapshot.add(std::move(region));
  }
  return snapshot;
}

Result<Snapshot> read_snapshot(const std::filesystem::path &file) {
  auto bytes = build::FileBytes::map(file);
  if (!bytes)
    return std::unexpected(bytes.error());
  return parse_snapshot(bytes->view());
}

} // namespace culprit::explain
