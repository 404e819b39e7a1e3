// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that the commands which learn and judge share, and what follows from them.
#pragma once

#include "cli/input_options.h"
#include "cli/parts.h"
#include "cli/report_files.h"
#include "engine/error.h"
#include "engine/monitor/target.h"
#include "engine/settings/settings.h"
#include "report/style.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::cli {

struct AnalysisOptions {
  std::string model;
  std::string only;
  ReportFiles files;
  std::string settings_file;
  bool reads = false;
  bool binary = false;
  bool deep = false;
  std::string color = "auto";
  bool verify = false;
  bool quiet = false;
  bool verbose = false;
  InputOptions input;

  void declare(CLI::App &app, ProgramIs program, Runs runs = Runs::many);

  // With what options say of them.
  Result<settings::Settings> read_settings() const;
  // Is the program run as it is, without instrumentation? Wanted so, or it carries no bitcode.
  bool runs_as_it_is(const std::string &program) const;
  // What is asked for, as far as it can be had of the program.
  Parts parts(const settings::Settings &settings) const;
  // --model, or PROG.model beside the program, which need not be there.
  std::filesystem::path model_path(const std::string &program) const;
  report::Style style() const;
  // The program in one of its flavours, or as it is; says when one has to be made.
  Result<monitor::Target> open_target(const std::string &program, std::string_view flavour) const;
  // Requests for all cases with the runtime's settings filled in.
  Result<std::vector<launch::Request>> requests(const monitor::Target &target,
                                                const settings::Settings &settings,
                                                const std::filesystem::path &scratch) const;
};

void declare_color(CLI::App &app, std::string &color);
report::Style style_of(const std::string &color);

// "./prog -x 'a b'"
std::string shown_command(const std::vector<std::string> &command);

} // namespace culprit::cli
