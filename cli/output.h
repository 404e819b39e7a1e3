// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a command's documents go: `-` is standard output, anything else a file that appears whole
// or not at all.
#pragma once

#include "engine/error.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::cli {

Result<void> write_document(const std::string &destination, const std::string &text);

// The keys every JSON document begins with.
nlohmann::ordered_json document_head(const std::string &command, const std::string &program);

// 1536 → "1.5 kB"
std::string human_size(uint64_t bytes);

} // namespace culprit::cli
