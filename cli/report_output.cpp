// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See report_output.h.
#include "cli/report_output.h"

#include "cli/analysis_options.h"
#include "cli/output.h"
#include "cli/source_lines.h"
#include "report/wrap.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace culprit::cli {

Result<void> write_report(const ReportOutput &output, const nlohmann::ordered_json &document,
                          const ReportText &text) {
  if (auto written = output.files.write(document); !written)
    return written;
  if (output.files.to_output() || output.silent)
    return {};
  std::error_code ignored;
  const report::Style style = style_of(output.color);
  return write_document(
      "-", report::wrapped(text(document, {.style = style,
                                           .source = source_lines(),
                                           .base = std::filesystem::current_path(ignored),
                                           .verbose = output.verbose}),
                           style.width));
}

} // namespace culprit::cli
