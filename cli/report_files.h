// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files a report is written to, one option for each form, and what says which of its findings
// count: a baseline, suppressions.
//
// Rules: `-` is standard output, for one of them at most, and then nothing else is printed there.
// What cannot be read is an error before anything is executed.
#pragma once

#include "engine/error.h"
#include "report/settle.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::cli {

struct ReportFiles {
  std::string json;
  std::string html;
  std::string sarif;
  std::string junit;
  std::string new_suppressions;
  std::string baseline;
  std::string suppressions;

  void declare_json(CLI::App &app);
  void declare_html(CLI::App &app);
  // SARIF and JUnit: of commands that report findings.
  void declare_findings(CLI::App &app);
  // Baseline and suppressions: of commands whose exit code says whether there are any.
  void declare_policy(CLI::App &app);

  // Fails where two reports would go to standard output.
  Result<void> check() const;
  bool to_output() const;
  // For a command: "check", "locate" or "triage".
  Result<report::Policy> read_policy(const std::string &command) const;
  // All that were asked for.
  Result<void> write(const nlohmann::ordered_json &document) const;
};

} // namespace culprit::cli
