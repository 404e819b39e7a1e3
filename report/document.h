// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all reports share: the head of every JSON document, and how numbers are written for people.
#pragma once

#include "engine/grouped.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace culprit::report {

inline constexpr std::string_view kVersion = CULPRIT_VERSION;

// The keys every JSON document begins with.
nlohmann::ordered_json document_head(const std::string &command, const std::string &program);

// Indented, ended by a newline; bytes that are no UTF-8 are replaced.
std::string to_text(const nlohmann::ordered_json &document);

// 1536 → "1.5 kB"
std::string human_size(uint64_t bytes);

// "1 module", "2,000 modules"
std::string counted(size_t count, std::string_view what);

} // namespace culprit::report
