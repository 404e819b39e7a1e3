// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a command's documents go: `-` is standard output, anything else a file that appears whole
// or not at all.
#pragma once

#include "engine/error.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace culprit::cli {

Result<void> write_document(const std::string &destination, const std::string &text);

// A report's document as a page. Fails where there is no page for such a document.
Result<void> write_page(const std::string &destination, const nlohmann::ordered_json &document);
// Several of them as one.
Result<void> write_joint_page(const std::string &destination,
                              std::span<const nlohmann::ordered_json> documents);

} // namespace culprit::cli
