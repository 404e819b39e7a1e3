// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See pair.h.
#include "cli/pair.h"

#include "cli/analysis_options.h"
#include "cli/input_options.h"
#include "cli/talk.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace culprit::cli {

namespace fs = std::filesystem;

PairOptions::PairOptions() : jobs(std::max(1U, std::thread::hardware_concurrency())) {}

void PairOptions::declare(CLI::App &app, const std::string &more) {
  files.declare_json(app);
  app.add_option("-j", jobs, "flavours' modules compiled at once (default: the machine's cores)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app.add_option("--timeout", timeout_seconds,
                 "end a run after so many seconds (default: never); one that "
                 "fails by not ending is told so")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--private", private_directories,
                 "a further directory whose changes are thrown away after each run")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_flag("-q", quiet, "say less");
  app.add_flag("-v", verbose, "say more: " + more);
  declare_color(app, color);
}

Result<Pair> Pair::open(const PairOptions &options, const std::string &a, const std::string &b) {
  if (auto sound = options.files.check(); !sound)
    return std::unexpected(sound.error());
  const auto open_target = [&](const std::string &program) {
    return explain::Target::open(
        {.typed = program,
         .jobs = options.jobs,
         .on_make = [quiet = options.quiet](std::string_view flavour, const fs::path &file) {
           say_making(quiet, flavour, file.string());
         }});
  };
  const std::vector<std::string> arguments(options.command.begin() + 1, options.command.end());
  auto case_a = launch::case_of_text(a, arguments);
  if (!case_a)
    return std::unexpected(case_a.error());
  auto case_b = launch::case_of_text(b, arguments);
  if (!case_b)
    return std::unexpected(case_b.error());
  auto target = open_target(options.command[0]);
  if (!target)
    return std::unexpected(target.error());
  auto scratch = launch::TemporaryDirectory::create();
  if (!scratch)
    return std::unexpected(scratch.error());
  Pair pair(options, std::move(*target), std::move(*scratch));
  if (!options.other_program.empty()) {
    auto other = open_target(options.other_program);
    if (!other)
      return std::unexpected(other.error());
    pair.other_ = std::move(*other);
  }
  const auto request = [&](const explain::Target &of, launch::Case input) {
    launch::Request made{.program = of.program(), .input = std::move(input)};
    for (const std::string &directory : options.private_directories)
      made.private_directories.emplace_back(directory);
    made.limits.timeout =
        std::chrono::milliseconds(static_cast<int64_t>(options.timeout_seconds * 1000));
    return made;
  };
  if (!case_a->standard_input || !case_b->standard_input) {
    auto here = launch::single_case({}, STDIN_FILENO, pair.scratch() / "standard-input");
    if (!here)
      return std::unexpected(here.error());
    if (here->standard_input)
      pair.standard_input_ = file_of_standard_input();
    for (launch::Case *each : {&*case_a, &*case_b})
      if (!each->standard_input)
        each->standard_input = here->standard_input;
  }
  const auto shown = [&](const std::string &program, const launch::Case &input) {
    std::optional<std::string> file;
    if (input.standard_input)
      file = input.standard_input->parent_path() == pair.scratch()
                 ? pair.standard_input_
                 : std::optional(input.standard_input->string());
    return shown_run(program, input.arguments, file);
  };
  pair.commands_ = {
      .a = shown(options.other_program.empty() ? options.command[0] : options.other_program,
                 *case_a),
      .b = shown(options.command[0], *case_b)};
  pair.case_a_ = a;
  pair.case_b_ = b;
  pair.request_a_ = request(pair.other_ ? *pair.other_ : pair.target_, std::move(*case_a));
  pair.request_b_ = request(pair.target_, std::move(*case_b));
  return pair;
}

std::string Pair::command(const std::string &name, const std::vector<std::string> &options) const {
  std::vector<std::string> words = {"culprit", name};
  words.insert(words.end(), options.begin(), options.end());
  if (options_.timeout_seconds != 0) // without it a run may not end
    words.insert(words.end(), {"--timeout", fmt::format("{}", options_.timeout_seconds)});
  const bool is_diff = name == "diff";
  if (other_) {
    words.emplace_back(is_diff ? "--program-a" : "--pass-program");
    words.push_back(options_.other_program);
  }
  if (!is_diff)
    words.emplace_back("--pass");
  words.push_back(case_a_);
  if (!is_diff)
    words.emplace_back("--fail");
  words.push_back(case_b_);
  words.emplace_back("--");
  words.insert(words.end(), options_.command.begin(), options_.command.end());
  return shown_run(words.front(), {words.begin() + 1, words.end()}, standard_input_);
}

Result<void> Pair::write_report(const nlohmann::ordered_json &document,
                                const ReportText &text) const {
  return cli::write_report(
      {.files = options_.files, .color = options_.color, .verbose = options_.verbose}, document,
      text);
}

} // namespace culprit::cli
