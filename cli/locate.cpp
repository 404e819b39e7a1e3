// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit locate -- PROG ARGS`: finds the first point of memory corruption of a run, by executing
// it again and again without the effects of what its crashes are blamed on; one that does not crash
// is executed with its variables in other orders.
#include "cli/analysis_options.h"
#include "cli/command.h"
#include "cli/gdb.h"
#include "cli/searching.h"
#include "engine/triage/identity.h"
#include "report/document.h"
#include "report/locate_document.h"
#include "report/locate_text.h"

#include <fmt/format.h>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

namespace culprit::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Options : SearchingOptions {
  std::string gdb_script; // where to write it
  bool gdb = false;       // start it
  bool all = false;
  std::optional<bool> expose;
};

// Of all cases.
struct Searched {
  std::vector<Json> documents; // in the order of the cases
  std::optional<Error> error;  // the first
  size_t located = 0;
  size_t unresolved = 0;
  std::string reason; // of the first unresolved one
};

Json document_of(const launch::Case &input, locate::Search search, triage::Identities &identities) {
  auto names = identities.of(search.located.chain);
  return report::located_document({.label = input.label,
                                   .arguments = input.arguments,
                                   .located = std::move(search.located),
                                   .stacks = std::move(search.stacks),
                                   .orders = search.orders,
                                   .identities = std::move(names),
                                   .difference = std::move(search.difference)});
}

// Of a single case the orders of variables are what takes time; how many there are is known with
// the second.
struct OrderProgress {
  Progress &cases;
  bool quiet;
  std::optional<Progress> shown;

  void operator()(size_t tried, size_t all) {
    if (tried == 2) {
      cases.finish();
      shown.emplace(
          ProgressOptions{.label = "locate: orders of variables", .total = all, .quiet = quiet});
    }
    if (shown)
      shown->advance();
  }
};

Searched search_all(const Searching &session, const std::vector<launch::Request> &requests,
                    const Options &options) {
  Searched searched;
  searched.documents.resize(requests.size());
  Progress progress({.label = "locate", .total = requests.size(), .quiet = options.quiet});
  OrderProgress orders{.cases = progress, .quiet = options.quiet, .shown = {}};
  locate::SearchOptions search_options = session.search_options();
  search_options.all = options.all;
  search_options.expose = options.expose;
  search_options.count_statement = options.gdb || !options.gdb_script.empty();
  if (requests.size() == 1)
    search_options.on_order = std::ref(orders);
  triage::Identities identities(session.target().tables());
  std::mutex mutex;
  session.each(requests.size(), progress, [&](size_t i) {
    auto found = locate::search(session.target(), requests[i], search_options);
    const std::scoped_lock lock(mutex);
    if (!found) {
      if (!searched.error)
        searched.error = found.error();
      return false;
    }
    Json document = document_of(requests[i].input, std::move(*found), identities);
    const std::string outcome = document.value("outcome", "");
    searched.located += outcome == "located" ? 1 : 0;
    if (outcome == "unresolved" && searched.unresolved++ == 0)
      searched.reason = document.value("reason", "");
    searched.documents[i] = std::move(document);
    return true;
  });
  return searched;
}

// The command that shows more.
std::string next_command(const Options &options, const launch::Request &request, bool several) {
  const bool widen = several && !options.all;
  if (!widen && options.verbose)
    return {};
  return fmt::format("culprit locate {}{}-- {}", widen || options.all ? "--all " : "",
                     widen ? "" : "-v ", options.input.shown(request.input));
}

// A debugger, where one is asked for and something was located.
Result<void> debug(const Options &options, const Json &document, const launch::Request &request) {
  if (!options.gdb && options.gdb_script.empty())
    return {};
  return debug_located(document, {.program = options.input.command[0],
                                  .input = request.input,
                                  .script = options.gdb_script,
                                  .start = options.gdb,
                                  .jobs = options.input.jobs,
                                  .quiet = options.quiet});
}

int execute(const Options &options) {
  if (options.gdb || !options.gdb_script.empty()) {
    if (!options.input.inputs.empty() || !options.input.cases.empty())
      return report_error({"gdb is for one run: neither --inputs nor --cases goes with it", {}});
    if (auto found = find_gdb(); options.gdb && !found)
      return report_error(found.error());
  }
  auto session = Searching::open(options);
  if (!session)
    return report_error(session.error());
  auto cases = options.input.read_cases(session->scratch());
  if (!cases)
    return report_error(cases.error());
  const std::vector<launch::Request> requests =
      options.input.requests(session->target().program(), std::move(*cases));
  if (requests.empty())
    return report_error({"there is no input to run", {}});

  Searched searched = search_all(*session, requests, options);
  if (searched.error)
    return report_error(*searched.error);

  Json document = report::document_head("locate", options.input.command[0]);
  size_t first = 0;
  while (first + 1 < requests.size() && searched.documents[first].value("outcome", "") != "located")
    ++first;
  const bool several = searched.documents[first]["chain"].size() > 1;
  report::add_located(document, std::move(searched.documents));
  document["next"] = searched.located == 0 ? "" : next_command(options, requests[first], several);
  const size_t counting = session->settle(document);
  if (auto written = session->write_report(document, report::locate_text); !written)
    return report_error(written.error());
  if (searched.located != 0) {
    if (auto debugged = debug(options, document, requests[first]); !debugged)
      return report_error(debugged.error());
    return counting != 0 ? kFindings : kDone;
  }
  if (searched.unresolved != 0)
    return report_error({"not located: " + searched.reason, {}});
  return kDone;
}

} // namespace

Action declare_locate(CLI::App &app) {
  auto options = std::make_shared<Options>();
  options->command_name = "locate";
  options->input.declare(app);
  app.add_flag("--all", options->all, "also the errors that the one found first does not explain");
  app.add_flag_callback(
      "--expose", [options] { options->expose = true; },
      "try other orders of variables after every search (default: if nothing crashes)");
  app.add_flag_callback(
      "--no-expose", [options] { options->expose = false; },
      "do not try other orders of variables");
  app.add_flag("--gdb", options->gdb,
               "then start gdb on the program, stopped at the first point of corruption");
  app.add_option("--gdb-script", options->gdb_script, "write what --gdb would tell gdb to FILE")
      ->type_name("FILE");
  options->declare(app, "call stacks, what could not be fixed");
  return [options] { return execute(*options); };
}

} // namespace culprit::cli
