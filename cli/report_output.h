// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One report, in files and as text to standard output, as far as they were asked for.
#pragma once

#include "cli/report_files.h"
#include "engine/error.h"
#include "report/check_text.h"

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::cli {

struct ReportOutput {
  const ReportFiles &files; // one that goes to standard output: no text
  std::string color = "auto";
  bool verbose = false;
  bool silent = false; // no text
};

using ReportText =
    std::function<std::string(const nlohmann::ordered_json &, const report::TextOptions &)>;

Result<void> write_report(const ReportOutput &output, const nlohmann::ordered_json &document,
                          const ReportText &text);

} // namespace culprit::cli
