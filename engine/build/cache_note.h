// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The small texts of the cache: the note beside a cached flavour, and the size limit. Both may be
// damaged, and both can be done without: a flavour whose note is not readable is made again, a bad
// limit is the default.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace culprit::build {

struct CacheNote {
  std::string program; // base name of the file the flavour was made from
  std::string flavour;
  std::string checksum; // of the flavour's file and the two names, 16 hexadecimal digits

  bool operator==(const CacheNote &) const = default;
};

std::string to_json(const CacheNote &note);
std::optional<CacheNote> cache_note_from_json(std::string_view text);

// Bytes, as a decimal number and a newline.
std::optional<uint64_t> parse_cache_limit(std::string_view text);

} // namespace culprit::build
