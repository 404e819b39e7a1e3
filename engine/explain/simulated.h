// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: memory of runs that never were, and what the runtime does with a patch.
#pragma once

#include "engine/explain/snapshot.h"

#include <cstring>
#include <string>
#include <vector>

namespace culprit::explain {

inline void put(Region &region, uint64_t offset, const void *bytes, size_t size) {
  std::memcpy(region.bytes->data() + offset, bytes, size);
}
inline void put_word(Region &region, uint64_t offset, uint64_t word) {
  put(region, offset, &word, sizeof word);
}

inline Region region(uint64_t index, uint64_t address, uint64_t size,
                     culprit_region_kind kind = CULPRIT_REGION_BLOCK) {
  return {index, address, size, kind, 0, std::string(size, '\0')};
}

inline Region open_region(uint32_t descriptor, uint64_t offset, std::string_view contents,
                          uint32_t state = 0) {
  const culprit_open_file head{offset, contents.size(), state, 4, 1, 0};
  std::string bytes(reinterpret_cast<const char *>(&head), sizeof head);
  bytes += "name";
  bytes += contents;
  return {culprit_index_fold(CULPRIT_INDEX_FILE, descriptor),
          0,
          bytes.size(),
          CULPRIT_REGION_FILE,
          descriptor,
          bytes};
}

inline void patch_file(Snapshot &snapshot, const culprit_patch_row &row, std::string_view bytes) {
  const uint64_t index = culprit_index_fold(CULPRIT_INDEX_FILE, row.target);
  if (snapshot.find(index) == nullptr)
    snapshot.add(open_region(row.target, 0, ""));
  Region &file = *snapshot.find(index);
  culprit_open_file head{};
  std::memcpy(&head, file.bytes->data(), sizeof head);
  if (row.kind == CULPRIT_PATCH_CONTENTS) {
    file = open_region(row.target, head.offset, bytes, head.state);
  } else if (row.kind == CULPRIT_PATCH_FILE) {
    head.offset = row.at;
    head.state = static_cast<uint32_t>(row.value);
    put(file, 0, &head, sizeof head);
  } else {
    file.bytes.reset(); // it is there and not open
  }
}

// As runtime/explain/patch.cpp: false if a row is not as it must be. New regions lie behind all.
inline bool apply_patch(Snapshot &snapshot, std::string_view patch) {
  uint64_t free = 0x900000;
  for (const Region &each : snapshot.regions())
    free = std::max(free, each.address + each.size + 64);
  std::vector<uint64_t> blocks = {0};
  const auto write = [&](uint64_t address, const void *bytes, size_t size) {
    const auto place = snapshot.place_of(address);
    Region *region = place ? snapshot.find(place->region) : nullptr;
    if (region == nullptr || place->offset + size > region->size)
      return false;
    put(*region, place->offset, bytes, size);
    return true;
  };
  while (!patch.empty()) {
    culprit_patch_row row;
    if (patch.size() < sizeof row)
      return false;
    std::memcpy(&row, patch.data(), sizeof row);
    patch.remove_prefix(sizeof row);
    const size_t padded = (row.size + size_t{7}) / 8 * 8;
    if (patch.size() < padded || row.region >= blocks.size())
      return false;
    if (row.kind == CULPRIT_PATCH_ALLOCATE) {
      blocks.push_back(free);
      snapshot.add(region(row.at, free, row.value));
      free += row.value + 64;
    } else if (row.kind == CULPRIT_PATCH_BYTES) {
      if (!write(blocks[row.region] + row.at, patch.data(), row.size))
        return false;
    } else if (row.kind == CULPRIT_PATCH_RESIZE) {
      const auto place = snapshot.place_of(row.at);
      Region *block = place ? snapshot.find(place->region) : nullptr;
      if (block == nullptr || place->offset != 0 || row.value > block->room)
        return false;
      block->size = row.value;
      block->bytes->resize(row.value);
    } else if (row.kind == CULPRIT_PATCH_CONTENTS || row.kind == CULPRIT_PATCH_FILE ||
               row.kind == CULPRIT_PATCH_CLOSE) {
      patch_file(snapshot, row, patch.substr(0, row.size));
    } else {
      if (row.target >= blocks.size())
        return false;
      const uint64_t pointer = blocks[row.target] + row.value;
      if (!write(blocks[row.region] + row.at, &pointer, sizeof pointer))
        return false;
    }
    patch.remove_prefix(padded);
  }
  return true;
}

} // namespace culprit::explain
