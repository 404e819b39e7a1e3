// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an earlier report knows already: a report that a command wrote with --json, of which only
// the fingerprints of its findings count, and the inputs it could not resolve. Findings of `culprit
// locate` and of `culprit triage` have the same fingerprints, so each serves the other.
#pragma once

#include "engine/error.h"

#include <set>
#include <string>
#include <string_view>

namespace culprit::report {

struct Baseline {
  std::set<std::string, std::less<>> findings = {};   // fingerprints
  std::set<std::string, std::less<>> unresolved = {}; // digests of inputs
};

// For a command: "check", "locate" or "triage". Fails where the text is no report of a command
// whose findings can be compared with its own.
Result<Baseline> parse_baseline(std::string_view json, std::string_view command);

} // namespace culprit::report
