// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Open files of a stopped run (abi/explain.h): what a program goes on to read is a part of its
// state. Two are the same if they hold the same and the runs stand at the same place in them,
// whatever they are called.
#pragma once

#include "engine/explain/snapshot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace culprit::explain {

inline bool is_file(const Region &region) { return region.kind == CULPRIT_REGION_FILE; }

struct OpenFile {
  uint64_t offset = 0;
  uint64_t size = 0;
  uint32_t state = 0; // culprit_stream_state
  std::string_view name = {};
  std::optional<std::string_view> contents = {}; // none: they are not told
};

// Of the region's bytes, which must outlive it. Nothing: it is not open. (Standard input may be no
// regular file, but then there is nothing to read.)
std::optional<OpenFile> open_file(const Region *region, uint32_t descriptor);

bool is_same_file(const std::optional<OpenFile> &one, const std::optional<OpenFile> &other);
// Can the first be made the second?
bool can_become(const std::optional<OpenFile> &one, const std::optional<OpenFile> &other);

// "standard input", "descriptor 3 (words.txt)"
std::string file_name(uint32_t descriptor, const std::optional<OpenFile> &file);
// What would be read next, from the line on in which the two differ.
std::string file_text(const std::optional<OpenFile> &file, const std::optional<OpenFile> &other,
                      size_t most);

} // namespace culprit::explain
