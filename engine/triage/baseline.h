// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a saved triage knows already: its groups, and the inputs it could not resolve.
#pragma once

#include "engine/error.h"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace culprit::triage {

struct Baseline {
  std::set<std::string, std::less<>> groups = {};     // ids
  std::set<std::string, std::less<>> unresolved = {}; // digests
};

// Of a document that `culprit triage --json` wrote.
Result<Baseline> parse_baseline(std::string_view json);
// Every error names the file.
Result<Baseline> read_baseline(const std::filesystem::path &file);

} // namespace culprit::triage
