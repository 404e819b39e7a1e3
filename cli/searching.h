// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the commands that search for first corruptions share (locate, triage): their options, the
// program in its locate flavours, work on several inputs at once, and the report.
#pragma once

#include "cli/input_options.h"
#include "cli/progress.h"
#include "cli/report_output.h"
#include "engine/error.h"
#include "engine/launch/temporary.h"
#include "engine/locate/search.h"
#include "engine/settings/settings.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::cli {

struct SearchingOptions {
  InputOptions input;
  ReportFiles files;
  std::string settings_file;
  std::string color = "auto";
  bool quiet = false;
  bool verbose = false;

  std::string command_name; // "locate", "triage"

  // All but the input's, which come first in a command's help. `more`: what -v says more of.
  void declare(CLI::App &app, const std::string &more);
};

class Searching {
public:
  static Result<Searching> open(const SearchingOptions &options);

  const locate::Target &target() const { return target_; }
  const std::filesystem::path &scratch() const { return scratch_.path(); }
  // As far as the command line and the settings say.
  const locate::SearchOptions &search_options() const { return search_; }

  // Calls `work` with 0, 1, … up to `count`, as many at once as asked for, until one of them says
  // that it is enough.
  void each(size_t count, Progress &progress, const std::function<bool(size_t)> &work) const;

  // Says which findings count; how many do.
  size_t settle(nlohmann::ordered_json &document) const;
  // Whether an earlier report had this input among those it could not resolve.
  bool was_unresolved(const std::string &digest) const;
  // In files and as text, as far as they were asked for.
  Result<void> write_report(const nlohmann::ordered_json &document, const ReportText &text) const;

private:
  Searching(const SearchingOptions &options, locate::Target target,
            launch::TemporaryDirectory scratch, const locate::LocateSettings &settings,
            report::Policy policy);

  const SearchingOptions &options_;
  locate::Target target_;
  launch::TemporaryDirectory scratch_;
  locate::SearchOptions search_;
  report::Policy policy_;
};

} // namespace culprit::cli
