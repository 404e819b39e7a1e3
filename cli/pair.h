// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the commands that compare two runs share (diff, explain): two cases of one program or of two
// builds of it, in their explain flavours, and the report.
#pragma once

#include "cli/report_output.h"
#include "engine/error.h"
#include "engine/explain/search.h"
#include "engine/launch/launch.h"
#include "engine/launch/temporary.h"
#include "report/explain_document.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace culprit::cli {

struct PairOptions {
  std::vector<std::string> command; // PROG and its arguments
  std::string other_program;        // of the first run; empty: the same
  ReportFiles files;
  std::string color = "auto";
  std::vector<std::string> private_directories;
  double timeout_seconds = 0; // 0: none
  unsigned jobs;
  bool quiet = false;
  bool verbose = false;

  PairOptions();
  void declare(CLI::App &app, const std::string &more);
};

class Pair {
public:
  // The first as a case, and the second.
  static Result<Pair> open(const PairOptions &options, const std::string &a, const std::string &b);

  explain::Run a() const { return {other_ ? *other_ : target_, request_a_}; }
  explain::Run b() const { return {target_, request_b_}; }
  const report::Commands &commands() const { return commands_; }
  const std::filesystem::path &scratch() const { return scratch_.path(); }

  // `culprit diff` or `culprit explain` of the same two cases, as it is typed.
  std::string command(const std::string &name, const std::vector<std::string> &options) const;

  // In files and as text, as far as they were asked for.
  Result<void> write_report(const nlohmann::ordered_json &document, const ReportText &text) const;

private:
  Pair(const PairOptions &options, explain::Target target, launch::TemporaryDirectory scratch)
      : options_(options), target_(std::move(target)), scratch_(std::move(scratch)) {}

  const PairOptions &options_;
  explain::Target target_;
  std::optional<explain::Target> other_;
  launch::TemporaryDirectory scratch_;
  launch::Request request_a_;
  launch::Request request_b_;
  report::Commands commands_;
  std::optional<std::string> standard_input_; // the file, where a case has none of its own
  std::string case_a_;                        // as they were typed
  std::string case_b_;
};

} // namespace culprit::cli
