// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit diff A B -- PROG`: where two runs part for the first time, and how much of them
// corresponds.
#include "cli/command.h"
#include "cli/pair.h"
#include "engine/explain/at.h"
#include "engine/explain/mutation.h"
#include "engine/launch/repeat.h"
#include "report/document.h"
#include "report/explain_text.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace culprit::cli {

namespace {

struct Options : PairOptions {
  std::string a;
  std::string b;
  std::string at;
  size_t mutations = 0;
};

int execute(const Options &options) {
  if (options.command.empty()) // what `diff A -- PROG` is read as: PROG in the place of B
    return report_error({"two cases and a program are needed", "culprit diff A B -- PROG ARGS"});
  std::optional<explain::AtLine> at;
  if (!options.at.empty()) {
    auto parsed = explain::parse_at(options.at);
    if (!parsed)
      return report_error(parsed.error());
    at = std::move(*parsed);
  }
  auto pair = Pair::open(options, options.a, options.b);
  if (!pair)
    return report_error(pair.error());
  auto compared = explain::trace_both(pair->a(), pair->b(), pair->scratch());
  if (!compared)
    return report_error(compared.error());
  auto document = report::document_head("diff", options.command[0]);
  report::add_comparison(document, *compared, pair->commands());
  if (at) {
    auto found = explain::differences_at(pair->a(), pair->b(), *compared, *at, pair->scratch());
    if (!found)
      return report_error(found.error());
    report::add_differences(document, options.at, *found);
  }
  if (options.mutations != 0) {
    auto found =
        explain::mutate(pair->a(), pair->b(), *compared, options.mutations, pair->scratch());
    if (!found)
      return report_error(found.error());
    report::add_mutations(document, *found);
  }
  const explain::Share &points = compared->alignment.control_flow;
  const bool equal = points.part == points.whole &&
                     launch::first_difference(compared->a.outcome, compared->b.outcome).empty();
  if (!equal)
    document["next"] = pair->command("explain", {});
  if (auto written = pair->write_report(document, report::diff_text); !written)
    return report_error(written.error());
  return equal ? kDone : kFindings;
}

} // namespace

Action declare_diff(CLI::App &app) {
  auto options = std::make_shared<Options>();
  app.add_option(
         "A", options->a,
         "a case: arguments in shell quoting, `< FILE` for standard input; the path for @@ "
         "where PROG's arguments have it; ' -n' with a blank before it if it begins with a dash")
      ->required();
  app.add_option("B", options->b, "the case it is compared with")->required();
  app.add_option("PROG", options->command, "the program and its fixed arguments, after `--`");
  app.add_option("--program-a", options->other_program, "another build, which A is executed with")
      ->type_name("PROG");
  app.add_option(
         "--at", options->at,
         "also compare memory at this place, at its N-th execution in A (default: the first)")
      ->type_name("FILE:LINE[#N]");
  app.add_option("--mutate", options->mutations,
                 "also take B's memory over into A at N points, and compare what follows")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  options->files.declare_html(app);
  options->declare(app, "nothing so far");
  return [options] { return execute(*options); };
}

} // namespace culprit::cli
