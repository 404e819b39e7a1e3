// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit explain --pass A --fail B -- PROG`: which values, at which points, made the failing run
// fail, from where it departs from the passing one to its failure.
#include "cli/command.h"
#include "cli/pair.h"
#include "cli/progress.h"
#include "engine/explain/switching.h"
#include "engine/launch/interrupt.h"
#include "report/document.h"
#include "report/explain_text.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace culprit::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char *kAuto = "auto";
constexpr size_t kMostSwitchesWithOracle = 200;

struct Options : PairOptions {
  std::string pass;
  std::string fail;
  std::string oracle;
  std::string align = "index";
  size_t tests = explain::ChainLimits{}.tests;
  double budget_seconds = 0; // 0: none
};

std::chrono::steady_clock::time_point deadline_of(const Options &options) {
  if (options.budget_seconds == 0)
    return std::chrono::steady_clock::time_point::max();
  return std::chrono::steady_clock::now() +
         std::chrono::milliseconds(static_cast<int64_t>(options.budget_seconds * 1000));
}

// The passing run: the one that is given, or the failing one with a branch switched.
struct Passing {
  explain::Run run;
  std::optional<explain::Switched> switched;
};

Result<Passing> passing_run(const Options &options, const Pair &pair, Progress &progress) {
  if (options.pass != kAuto)
    return Passing{pair.a(), std::nullopt};
  // With an oracle all of them are tried, and the earliest is taken.
  const size_t tries =
      options.oracle.empty() ? options.tests : std::min(options.tests, kMostSwitchesWithOracle);
  auto found = explain::find_switch(pair.b(), {.oracle = options.oracle,
                                               .tries = tries,
                                               .deadline = deadline_of(options),
                                               .scratch = pair.scratch(),
                                               .on_try = [&] { progress.advance(); }});
  if (!found)
    return std::unexpected(found.error());
  if (!found->found)
    return fail(fmt::format("no passing run was found: {} decided the other way makes it pass",
                            found->over ? fmt::format("none of the last {} branches", found->tries)
                                        : std::string("no branch")),
                found->over && options.oracle.empty()
                    ? "give a case that passes (--pass), or more tries (--tests, --budget)"
                    : "give a case that passes (--pass), or an oracle (--oracle) that knows one");
  return Passing{explain::with_switch(pair.b(), *found->found), std::move(found->found)};
}

// All that differs where the chain begins, or where the runs part.
std::string next_command(const Pair &pair, const std::vector<explain::Transition> &chain) {
  // A later execution has another number in the passing run.
  if (chain.empty() || chain.front().at.line == 0 || chain.front().instance > 1)
    return pair.command("diff", {});
  const explain::Transition &first = chain.front();
  return pair.command(
      "diff",
      {"--at", fmt::format("{}:{}", fs::path(first.at.file).filename().string(), first.at.line)});
}

int execute(const Options &options) {
  if (options.pass == kAuto && !options.other_program.empty())
    return report_error(
        {"--pass auto is the same program, --pass-program another one", "leave one of them out"});
  auto pair =
      Pair::open(options, options.pass == kAuto ? options.fail : options.pass, options.fail);
  if (!pair)
    return report_error(pair.error());
  Progress progress({.label = "tests", .total = 0, .quiet = options.quiet});
  auto passing = passing_run(options, *pair, progress);
  if (!passing)
    return report_error(passing.error());
  auto found = explain::explain(
      passing->run, pair->b(),
      {.limits = {.tests = options.tests,
                  .deadline = deadline_of(options),
                  .stop = launch::interrupt_token(),
                  .width = options.jobs},
       .scratch = pair->scratch(),
       .alike = options.align == "symbolic" ? explain::Alike::path : explain::Alike::index,
       .oracle = options.oracle,
       .on_tests = [&](size_t tests) { progress.advance(tests); }});
  progress.finish();
  if (!found)
    return report_error(found.error());
  if (!found->irreproducible.empty())
    return report_error(
        {"the failure does not reproduce: " + found->irreproducible,
         "is --fail a case that fails, and --pass one that passes? (`culprit run` shows what "
         "a case does)"});
  auto document = report::document_head("explain", options.command[0]);
  report::add_explanation(document, *found, pair->commands());
  document["align"] = options.align;
  if (passing->switched)
    report::add_switch(document, *passing->switched);
  if (!passing->switched)
    document["next"] = next_command(*pair, found->transitions);
  if (auto written = pair->write_report(document, report::explain_text); !written)
    return report_error(written.error());
  if (launch::interrupt_token().stop_requested()) {
    fmt::print(stderr, "culprit: interrupted; what had been found is shown\n");
    return kCannot;
  }
  return found->transitions.empty() ? kFindings : kDone;
}

} // namespace

Action declare_explain(CLI::App &app) {
  auto options = std::make_shared<Options>();
  app.add_option("PROG", options->command, "the program and its fixed arguments, after `--`")
      ->required();
  app.add_option(
         "--pass", options->pass,
         "the case that passes: arguments in shell quoting, `< FILE` for standard input; "
         "the path for @@ where PROG's arguments have it; `auto`: the failing case with one "
         "branch decided the other way, if such a run passes")
      ->type_name("CASE");
  app.add_option("--fail", options->fail, "the case that fails")->type_name("CASE");
  app.add_option("--pass-program", options->other_program,
                 "another build, which passes: it is executed with the case --pass")
      ->type_name("PROG");
  app.add_option("--tests", options->tests, "tests at most (default: 2000)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--budget", options->budget_seconds,
                 "end the search after so many seconds and tell what was found (default: never)")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option(
         "--oracle", options->oracle,
         "a shell command that judges a run by its standard output, which is its standard "
         "input; CULPRIT_STATUS is the exit code (124: it does not end), CULPRIT_STDERR a file "
         "with standard error; "
         "it exits with 0: passes, 1: fails, else: cannot be said (default: a run fails that "
         "ends as the failing one)")
      ->type_name("CMD");
  app.add_option(
         "--align", options->align,
         "how memory of both runs corresponds: by `index` (default), or by `symbolic` path, "
         "the baseline that indexing is compared with")
      ->check(CLI::IsMember({"index", "symbolic"}));
  options->files.declare_html(app);
  options->files.declare_findings(app);
  options->declare(app, "why the chain begins where it does");
  return [options] { return execute(*options); };
}

} // namespace culprit::cli
