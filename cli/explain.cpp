// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit explain --pass A --fail B -- PROG`: which values, at which points, made the failing run
// fail, from where it departs from the passing one to its failure.
#include "cli/command.h"
#include "cli/pair.h"
#include "report/document.h"
#include "report/explain_text.h"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace culprit::cli {

namespace {

struct Options : PairOptions {
  std::string pass;
  std::string fail;
  size_t tests = explain::ChainLimits{}.tests;
};

int execute(const Options &options) {
  auto pair = Pair::open(options, options.pass, options.fail);
  if (!pair)
    return report_error(pair.error());
  auto found = explain::explain(
      pair->a(), pair->b(),
      {.limits = {.tests = options.tests}, .scratch = pair->scratch(), .on_step = {}});
  if (!found)
    return report_error(found.error());
  if (!found->irreproducible.empty())
    return report_error(
        {"the failure does not reproduce: " + found->irreproducible,
         "is --fail a case that fails, and --pass one that passes? (`culprit run` shows what "
         "a case does)"});
  auto document = report::document_head("explain", options.command[0]);
  report::add_explanation(document, *found, pair->commands());
  if (auto written = pair->write_report(document, report::explain_text); !written)
    return report_error(written.error());
  return found->transitions.empty() ? kFindings : kDone;
}

} // namespace

Action declare_explain(CLI::App &app) {
  auto options = std::make_shared<Options>();
  app.add_option("PROG", options->command, "the program and its fixed arguments, after `--`")
      ->required();
  app.add_option("--pass", options->pass,
                 "the case that passes: arguments in shell quoting, `< FILE` for standard input; "
                 "the path for @@ where PROG's arguments have it")
      ->type_name("CASE");
  app.add_option("--fail", options->fail, "the case that fails")->type_name("CASE");
  app.add_option("--pass-program", options->other_program,
                 "another build, which passes: it is executed with the case --pass")
      ->type_name("PROG");
  app.add_option("--tests", options->tests, "tests at most (default: 2000)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  options->declare(app, "why the chain begins where it does");
  return [options] { return execute(*options); };
}

} // namespace culprit::cli
