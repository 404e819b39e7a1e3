// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The index of a GNU archive: which member defines which symbol. A linker finds members through it
// alone, so a copy of an archive whose index is damaged or missing must not have a better one.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace culprit::build {

using ArchiveIndex = std::set<std::pair<std::string, uint64_t>>; // symbol, offset of the member

// `table` is the content of the member "/". Nothing if it contradicts itself.
std::optional<ArchiveIndex> read_archive_index(std::string_view table);

} // namespace culprit::build
