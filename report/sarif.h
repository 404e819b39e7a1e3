// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report as SARIF 2.1.0, which editors and code hosts show: one run of the tool, a result for
// each finding with a stable rule id and a fingerprint that survives the moving of lines, chains as
// code flows, objects and normal writers as related locations.
//
// Rules: the same finding in several runs of the program is one result that says how often. What
// GitHub code scanning would refuse or not show is left out by rank, and the log says how much
// (docs/reports.md has the limits). Columns are characters, as SARIF counts them.
#pragma once

#include "report/reported.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace culprit::report {

struct SarifOptions {
  SourceLine source = {};          // empty: no snippets, and columns are bytes
  std::filesystem::path root = {}; // files below it are named relative to it
};

nlohmann::ordered_json sarif(const Reported &report, const SarifOptions &options);

// For other writers of URIs: all but letters, digits, -._~ and / are %XX.
std::string uri_path(std::string_view path);

} // namespace culprit::report
