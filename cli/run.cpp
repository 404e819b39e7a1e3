// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit run -- PROG ARGS`: makes a flavour and executes it as every analysis does: same files,
// same addresses, same environment each time.
#include "cli/command.h"
#include "cli/input_options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "engine/build/flavour_set.h"
#include "engine/launch/temporary.h"
#include "report/document.h"
#include "report/utf8.h"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace culprit::cli {

namespace {

struct Options {
  std::string flavour = "identity";
  std::string run_file;
  std::string json;
  bool in_place = false;
  bool quiet = false;
  bool verbose = false;
  InputOptions input;
};

using Outcomes = std::vector<std::optional<Result<launch::Outcome>>>;

Result<build::FlavourSet> flavours(const Options &options) {
  auto say = [quiet = options.quiet, name = options.flavour](const std::filesystem::path &file) {
    say_making(quiet, name, file.string());
  };
  return build::FlavourSet::open(options.flavour, options.input.jobs, say);
}

void print_single(const Options &options, const launch::Outcome &outcome) {
  std::fwrite(outcome.out.data(), 1, outcome.out.size(), stdout);
  std::fflush(stdout);
  std::fwrite(outcome.err.data(), 1, outcome.err.size(), stderr);
  if (!options.quiet)
    fmt::print(stderr, "culprit: {} flavour of {}: {}\n", options.flavour,
               report::printable(options.input.command[0]), launch::describe(outcome.status));
}

void print_row(const launch::Request &request, const launch::Outcome &outcome) {
  fmt::print("{:<32} {:<24} {:>8.3f} s {:>10}\n", request.input.label,
             launch::describe(outcome.status), static_cast<double>(outcome.wall.count()) / 1e6,
             report::human_size(outcome.peak_bytes));
}

std::string to_json(const Options &options, const std::vector<launch::Request> &requests,
                    const Outcomes &outcomes) {
  nlohmann::ordered_json document = report::document_head("run", options.input.command[0]);
  document["flavour"] = options.flavour;
  document["runs"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i] || !*outcomes[i])
      continue;
    const launch::Outcome &outcome = **outcomes[i];
    document["runs"].push_back(
        {{"args", requests[i].input.arguments},
         {"status", launch::describe(outcome.status)},
         {"wall_seconds", static_cast<double>(outcome.wall.count()) / 1e6},
         {"cpu_seconds", static_cast<double>((outcome.user + outcome.system).count()) / 1e6},
         {"peak_bytes", outcome.peak_bytes},
         {"stdout", outcome.out},
         {"stderr", outcome.err},
         {"notes", outcome.notes}});
  }
  return report::to_text(document);
}

int execute(const Options &options) {
  auto set = flavours(options);
  if (!set)
    return report_error(set.error());
  auto program = set->program(options.input.command[0]);
  if (!program)
    return report_error(program.error());
  auto scratch = launch::TemporaryDirectory::create();
  if (!scratch)
    return report_error(scratch.error());
  auto cases = options.input.read_cases(scratch->path());
  if (!cases)
    return report_error(cases.error());

  const bool single = options.input.inputs.empty() && options.input.cases.empty();
  std::vector<launch::Request> requests = options.input.requests(*program, std::move(*cases));
  auto objects = launch::ObjectService::start(set->object_answer());
  if (!objects)
    return report_error(objects.error());
  for (size_t i = 0; i < requests.size(); ++i) {
    requests[i].runtime_options.emplace_back("objects", objects->socket().string());
    if (options.in_place)
      requests[i].privacy = launch::Privacy::none;
    if (!options.run_file.empty()) {
      const std::string file = std::filesystem::absolute(options.run_file).string();
      const std::string own = single ? file : fmt::format("{}.{}", file, i);
      std::error_code ignored;
      std::filesystem::remove(own, ignored); // the runtime writes over nothing
      requests[i].runtime_options.emplace_back("run", own);
    }
  }

  const Outcomes outcomes = [&] {
    Progress progress({.label = "run", .total = requests.size(), .quiet = options.quiet || single});
    return launch::run_all(requests, options.input.jobs,
                           [&](size_t, const Result<launch::Outcome> &) { progress.advance(); });
  }();

  int code = kDone;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i]) { // never started: interrupted
      code = kCannot;
      continue;
    }
    if (!*outcomes[i])
      return report_error(outcomes[i]->error());
    const launch::Outcome &outcome = **outcomes[i];
    if (outcome.status.ending == launch::Ending::cancelled)
      code = kCannot;
    if (options.verbose)
      for (const std::string &note : outcome.notes)
        fmt::print(stderr, "culprit: note: {}\n", report::printable(note));
    if (options.json == "-")
      continue;
    if (single)
      print_single(options, outcome);
    else
      print_row(requests[i], outcome);
  }
  if (!options.json.empty())
    if (auto written = write_document(options.json, to_json(options, requests, outcomes)); !written)
      return report_error(written.error());
  if (code == kCannot)
    fmt::print(stderr, "culprit: interrupted; what had finished is shown\n");
  return code;
}

} // namespace

Action declare_run(CLI::App &app) {
  auto options = std::make_shared<Options>();
  app.add_option("--flavour", options->flavour,
                 "which flavour to run: identity (default), base, monitor, blame")
      ->type_name("NAME");
  options->input.declare(app);
  app.add_option("--run-file", options->run_file,
                 "let the runtime write its run file to FILE (flavours with the runtime)")
      ->type_name("FILE");
  app.add_flag("--in-place", options->in_place, "let the program's changes to files stay");
  app.add_option("--json", options->json,
                 "write the outcomes as JSON to FILE (`-`: standard output)")
      ->type_name("FILE");
  app.add_flag("-q", options->quiet, "say nothing but the program's own output");
  app.add_flag("-v", options->verbose, "say what could not be fixed or kept private");
  return [options] { return execute(*options); };
}

} // namespace culprit::cli
