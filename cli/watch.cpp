// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit watch -- PROG ARGS`: runs a program and shows the metrics of its heap while it runs, on
// a page or (--tui) in the terminal; then judges the run as `culprit check` does.
#include "cli/checking.h"
#include "cli/command.h"
#include "cli/watch/following.h"
#include "cli/watch/rest.h"
#include "cli/watch/server.h"
#include "cli/watch/showing.h"
#include "engine/heap/bar.h"
#include "engine/launch/temporary.h"
#include "report/document.h"
#include "report/fields.h"
#include "report/utf8.h"

#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace culprit::cli {

namespace {

using namespace std::chrono_literals;
using report::live::Phase;
using report::live::State;

struct WatchOptions : CheckOptions {
  int port = 0;
  bool terminal = false;
  bool stay = false;
};

// What is learned of each metric; of one that is stable in phases the range depends on how far the
// run is, which nobody knows before its end.
void set_ranges(State &state, const Standard &standard) {
  if (!standard.parts.heap)
    return;
  for (const heap::LearnedMetric &learned : standard.heap.metrics)
    for (report::live::Metric &metric : state.metrics)
      if (metric.metric->name == learned.metric->name &&
          learned.stability == heap::MetricClass::global && learned.runs != 0 &&
          learned.metric->kind != heap::MetricKind::size) {
        metric.range = {learned.spread.low, learned.spread.high};
        metric.bar = heap::bar_of(learned.spread, heap::heap_demands(standard.settings.heap));
      }
}

std::string verdict_of(const nlohmann::ordered_json &document, size_t findings) {
  if (report::list_of(document, "judged").empty())
    return "not judged: there is no model";
  return findings == 0 ? "nothing departs from what was learned"
                       : report::counted(findings, "finding");
}

// Page and terminal show so many; the report has all.
void add_finding(State &state, const std::string &finding) {
  constexpr size_t kFindings = 100;
  if (state.findings.size() < kFindings)
    state.findings.push_back(finding);
  else if (state.findings.size() == kFindings)
    state.findings.emplace_back("and more: the report has all");
  ++state.findings_version;
}

// Everything that was said so far is replaced by the judgement.
void take_judgement(State &state, const nlohmann::ordered_json &document) {
  state.findings.clear();
  ++state.findings_version;
  size_t count = 0;
  for (const auto &run : report::list_of(document, "runs"))
    for (const auto &finding : report::list_of(run, "findings")) {
      ++count;
      add_finding(state, report::text_of(finding, "message"));
    }
  state.verdict = verdict_of(document, count);
  state.phase = Phase::judged;
}

Result<Standard> standard_of(const WatchOptions &options, const std::string &program,
                             const settings::Settings &settings) {
  std::error_code ignored;
  if (options.model.empty() && !std::filesystem::exists(options.model_path(program), ignored))
    return no_standard(options, program, settings);
  return read_standard(options, program, settings);
}

// Whatever is judged, the heap is looked at.
std::string_view flavour_for(const Standard &standard) {
  Parts parts = standard.parts;
  parts.heap = true;
  return flavour_of(parts);
}

// One run, from its start to its judgement, for who looks on.
class Watching {
public:
  Watching(const WatchOptions &options, const monitor::Target &target, State state)
      : options_(options), target_(target), feed_(std::move(state)) {}

  Feed &feed() { return feed_; }

  Onlooker onlooker() {
    return {.begins = [this](const std::filesystem::path &run_file) { begin(run_file); },
            .found = [this](const std::string &finding) { found(finding); },
            .ended = [this](const launch::Outcome &outcome) { ended(outcome.status); },
            .judged =
                [this](const nlohmann::ordered_json &document) {
                  feed_.change([&](State &state) { take_judgement(state, document); });
                }};
  }

  // Nobody draws or reads any more: the terminal is the report's.
  void stop() {
    following_.reset();
    showing_.reset();
  }

  // Whatever happened, nothing more will come.
  void close() {
    feed_.change([](State &state) {
      if (state.phase != Phase::judged)
        state.verdict = "could not be judged; culprit says why on its standard error";
      state.phase = Phase::judged;
    });
  }

private:
  void begin(const std::filesystem::path &run_file) {
    following_.emplace(feed_, target_, run_file);
    if (options_.terminal)
      showing_.emplace(feed_, options_.style());
  }

  void found(const std::string &finding) {
    feed_.change([&](State &state) { add_finding(state, finding); });
    if (!options_.terminal && !options_.quiet)
      fmt::print(stderr, "culprit: {}\n", report::printable(finding));
  }

  void ended(const launch::Status &status) {
    following_.reset();
    feed_.change([&](State &state) {
      state.course.finish();
      state.status = launch::describe(status);
      state.phase = Phase::ended;
    });
    showing_.reset();
  }

  const WatchOptions &options_;
  const monitor::Target &target_;
  Feed feed_;
  std::optional<Following> following_;
  std::optional<Showing> showing_;
};

// What cannot go together.
Result<void> check_options(const WatchOptions &options) {
  if (options.only == "access")
    return fail("what is watched is the heap: --only access leaves nothing to show",
                "culprit check --only access judges access sets alone");
  if (options.deep)
    return fail("what is watched is the heap, and --deep knows access sets only",
                "culprit check --deep judges them");
  if (options.terminal && options.files.to_output())
    return fail("--tui and a report cannot both go to standard output", "give the report a file");
  return {};
}

State first_state(const WatchOptions &options, const Standard &standard) {
  State state;
  state.command = shown_command(options.input.command);
  state.model = standard.file.string();
  state.learned_runs = standard.heap.used_runs;
  set_ranges(state, standard);
  return state;
}

Result<std::vector<launch::Request>> requests_for(const WatchOptions &options,
                                                  const monitor::Target &target,
                                                  const settings::Settings &settings,
                                                  const std::filesystem::path &scratch) {
  auto requests = options.requests(target, settings, scratch);
  if (requests)
    for (launch::Request &request : *requests)
      request.runtime_options.emplace_back("approaches", "1");
  return requests;
}

int execute(const WatchOptions &options) {
  if (auto sound = check_options(options); !sound)
    return report_error(sound.error());
  auto terms = read_terms(options);
  if (!terms)
    return report_error(terms.error());
  const std::string &program = options.input.command[0];
  auto standard = standard_of(options, program, terms->settings);
  if (!standard)
    return report_error(standard.error());
  auto scratch = launch::TemporaryDirectory::create();
  if (!scratch)
    return report_error(scratch.error());
  auto target = options.open_target(program, flavour_for(*standard));
  if (!target)
    return report_error(target.error());
  if (!standard->file.empty())
    if (auto same = compare_program(*standard, *target); !same)
      return report_error(same.error());
  auto requests = requests_for(options, *target, terms->settings, scratch->path());
  if (!requests)
    return report_error(requests.error());

  Watching watching(options, *target, first_state(options, *standard));
  std::optional<LiveServer> server;
  if (!options.terminal) {
    auto started = LiveServer::start(watching.feed(), options.port);
    if (!started)
      return report_error(started.error());
    server.emplace(std::move(*started));
    fmt::print(stderr, "culprit: open {}\n", server->address());
  }
  const Onlooker onlooker = watching.onlooker();
  Check check(options, *target, *standard, scratch->path(), onlooker);
  const auto executed = check.execute(std::move(*requests));
  watching.stop();
  const int code = executed ? check.report(terms->policy) : report_error(executed.error());
  watching.close();
  if (server && options.stay && launch::interrupt_signal() == 0) {
    fmt::print(stderr, "culprit: the run is over; the page stays until Ctrl-C\n");
    while (!launch::interrupt_token().stop_requested())
      rest(launch::interrupt_token(), 1h);
  }
  if (server)
    server->deliver();
  return code;
}

} // namespace

Action declare_watch(CLI::App &app) {
  auto options = std::make_shared<WatchOptions>();
  options->declare(app, ProgramIs::required, Runs::one);
  options->files.declare_findings(app);
  options->files.declare_policy(app);
  app.add_option("--save", options->save, "keep the run file, for `culprit check --run` and show")
      ->type_name("RUN");
  auto *terminal =
      app.add_flag("--tui", options->terminal, "show it in the terminal; no page is served");
  app.add_option("--port", options->port, "serve the page on this port (default: any that is free)")
      ->type_name("N")
      ->check(CLI::Range(1, 65535))
      ->excludes(terminal);
  app.add_flag("--stay", options->stay, "serve the page until Ctrl-C, also when the run is over")
      ->excludes(terminal);
  return [options] { return execute(*options); };
}

} // namespace culprit::cli
