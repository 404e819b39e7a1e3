// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit check -- PROG ARGS`: runs a program and reports what departs from its model; or judges a
// saved run (--run); or learns from the first part of the run itself (--learn).
#include "cli/checking.h"
#include "cli/command.h"
#include "cli/standard.h"
#include "engine/launch/temporary.h"
#include "engine/run/run_file.h"

#include <fmt/format.h>
#include <memory>

namespace culprit::cli {

namespace {

// Which program to judge a run file by: the one named, or the one the file names.
Result<std::string> program_of(const CheckOptions &options) {
  if (!options.input.command.empty())
    return options.input.command[0];
  if (options.run_file.empty())
    return fail("PROG is required", "see `culprit check --help`");
  auto file = run::read(options.run_file);
  if (!file)
    return std::unexpected(file.error());
  for (const run::Record &record : file->records)
    if (const auto *start = std::get_if<run::ProcessStart>(&record.what))
      return start->executable;
  return fail(fmt::format("{}: does not say which program was run", options.run_file),
              "name it: culprit check --run FILE -- PROG");
}

Result<Standard> standard_of(const CheckOptions &options, const std::string &program,
                             const settings::Settings &settings) {
  if (options.learn)
    return standard_by_start(options, settings);
  return read_standard(options, program, settings);
}

// The program in the flavour that wrote the run file, whose sites and rows it has the numbers of,
// and what it wrote.
struct SavedRun {
  monitor::Target target;
  monitor::ReadRun run;
};
Result<SavedRun> read_saved(const CheckOptions &options, const std::string &program, bool reads) {
  auto file = run::read(options.run_file);
  if (!file)
    return std::unexpected(file.error());
  std::optional<Error> first;
  for (const std::string_view flavour : flavours_of(*file, reads)) {
    auto target = options.open_target(program, flavour);
    if (!target)
      return std::unexpected(target.error());
    auto read = target->read_run(options.run_file);
    if (read)
      return SavedRun{std::move(*target), std::move(*read)};
    if (!first)
      first = read.error();
  }
  return std::unexpected(*first);
}

int check_saved(const CheckOptions &options, const std::string &program, Standard &standard,
                const std::filesystem::path &scratch, const report::Policy &policy) {
  auto saved = read_saved(options, program, standard.parts.reads);
  if (!saved)
    return report_error(saved.error());
  if (auto same = compare_program(standard, saved->target); !same)
    return report_error(same.error());
  if (standard.parts.access && !saved->run.access.watched) {
    if (!standard.parts.heap)
      return report_error(
          {fmt::format("{}: accesses were not watched in this run", options.run_file),
           "save one: culprit check --save RUN -- PROG"});
    standard.parts.access = false;
    standard.remarks.emplace_back(
        "accesses were not watched in this run: access sets are not judged");
  }
  Check check(options, saved->target, standard, scratch);
  check.judge_saved(std::move(saved->run));
  return check.report(policy);
}

// What cannot go together.
Result<void> check_options(const CheckOptions &options) {
  if (options.deep && (options.learn || options.clb))
    return fail(
        fmt::format("--deep and {} do not go together", options.learn ? "--learn" : "--clb"),
        "train a model first: culprit train --deep -- PROG");
  return {};
}

int execute(const CheckOptions &options) {
  if (auto sound = check_options(options); !sound)
    return report_error(sound.error());
  auto terms = read_terms(options);
  if (!terms)
    return report_error(terms.error());
  auto program = program_of(options);
  if (!program)
    return report_error(program.error());
  auto standard = standard_of(options, *program, terms->settings);
  if (!standard)
    return report_error(standard.error());
  if (!options.accept.empty()) // before the runs whose findings are to be accepted
    if (auto writable = model::check_writable(standard->file); !writable)
      return report_error(writable.error());
  auto scratch = launch::TemporaryDirectory::create();
  if (!scratch)
    return report_error(scratch.error());
  if (!options.run_file.empty())
    return check_saved(options, *program, *standard, scratch->path(), terms->policy);
  if (options.clb && !standard->parts.access)
    return report_error({fmt::format("{}: the model knows no access sets", standard->file.string()),
                         "train it without --only heap"});
  auto target = options.open_target(*program, flavour_of(standard->parts));
  if (!target)
    return report_error(target.error());
  if (auto same = compare_program(*standard, *target); !same)
    return report_error(same.error());

  Check check(options, *target, *standard, scratch->path());
  auto requests = options.requests(*target, terms->settings, scratch->path());
  if (!requests)
    return report_error(requests.error());
  if (standard->by_start && standard->parts.access)
    for (launch::Request &request : *requests)
      request.runtime_options.emplace_back("period",
                                           fmt::format("{}", terms->settings.access.period));
  if (auto executed = check.execute(std::move(*requests)); !executed)
    return report_error(executed.error());
  if (options.clb)
    if (auto measured = check.measure_clb(); !measured)
      return report_error(measured.error());
  return check.report(terms->policy);
}

} // namespace

Action declare_check(CLI::App &app) {
  auto options = std::make_shared<CheckOptions>();
  options->declare(app, ProgramIs::optional);
  options->files.declare_findings(app);
  options->files.declare_policy(app);
  auto *save = app.add_option("--save", options->save, "keep the run file, for --run");
  save->type_name("RUN");
  auto *run = app.add_option("--run", options->run_file, "judge a saved run; nothing is executed");
  run->type_name("FILE")->excludes(save);
  auto *learn =
      app.add_flag("--learn", options->learn,
                   "without a model: learn from the first part of the run, judge the rest by it");
  app.add_option("--accept", options->accept,
                 "teach the model that this access finding or note is right, for good (repeatable)")
      ->type_name("ID")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->excludes(learn);
  app.add_flag(
         "--clb", options->clb,
         "tell every access, and what the paper's look-aside buffer would make of them (slow)")
      ->excludes(learn)
      ->excludes(run);
  return [options] { return execute(*options); };
}

} // namespace culprit::cli
