// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/archive_index.h"

namespace culprit::build {

namespace {

// Archives are big-endian on every machine.
uint32_t number_at(std::string_view bytes, size_t at) {
  uint32_t number = 0;
  for (size_t i = 0; i < sizeof number; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

} // namespace

// A count, as many offsets, as many names that end with a zero byte.
std::optional<ArchiveIndex> read_archive_index(std::string_view table) {
  constexpr size_t kNumber = sizeof(uint32_t);
  if (table.size() < kNumber)
    return std::nullopt;
  const size_t count = number_at(table, 0);
  if (count > table.size() / kNumber - 1)
    return std::nullopt;
  std::string_view names = table.substr(kNumber * (1 + count));
  ArchiveIndex index;
  for (size_t i = 0; i < count; ++i) {
    const size_t end = names.find('\0');
    if (end == std::string_view::npos)
      return std::nullopt;
    index.emplace(names.substr(0, end), number_at(table, kNumber * (1 + i)));
    names.remove_prefix(end + 1);
  }
  return index;
}

} // namespace culprit::build
