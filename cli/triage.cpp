// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit triage --inputs DIR -- PROG @@`: locates the first corruption of every input and groups
// the inputs by it.
//
// Each distinct input is located once, and what is located is kept (engine/triage/state.h): a
// triage that was interrupted, or that gets further inputs, goes on where the last one stopped.
#include "cli/analysis_options.h"
#include "cli/command.h"
#include "cli/searching.h"
#include "engine/build/cache.h"
#include "engine/build/file_bytes.h"
#include "engine/build/toolchain.h"
#include "engine/launch/interrupt.h"
#include "engine/triage/identity.h"
#include "engine/triage/state.h"
#include "report/document.h"
#include "report/locate_document.h"
#include "report/triage_document.h"
#include "report/triage_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

namespace culprit::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Fuzzers leave inputs that never end; a triage does.
constexpr std::chrono::seconds kLongest{60};

struct Options : SearchingOptions {
  std::string state;
  bool fresh = false;
};

Result<std::vector<triage::Input>> read_inputs(const InputOptions &options) {
  const std::vector<std::string> arguments(options.command.begin() + 1, options.command.end());
  if (!options.inputs.empty())
    return triage::inputs_of_directory(options.inputs, arguments);
  if (!options.cases.empty())
    return triage::inputs_of_cases(options.cases, arguments);
  return fail("there is nothing to triage: neither --inputs nor --cases is given",
              "for one run there is `culprit locate`");
}

// What results depend on beside the input: the program, culprit, the limits.
Result<std::string> program_key(const locate::Target &target, const Options &options,
                                const locate::LocateSettings &settings) {
  auto identity = build::toolchain_identity(build::find_toolchain());
  if (!identity)
    return std::unexpected(identity.error());
  std::string text = fmt::format("{} {}", *identity, options.input.timeout_seconds);
  for (const auto &setting : locate::locate_settings())
    text += fmt::format(" {}", locate::setting_text(settings, setting.name));
  std::vector<fs::path> files = {target.program().executable};
  for (const launch::Substitution &object : target.program().substitutions)
    files.push_back(object.replacement);
  for (const fs::path &file : files) {
    auto bytes = build::FileBytes::map(file);
    if (!bytes)
      return std::unexpected(bytes.error());
    text += " " + triage::digest_text(bytes->view());
  }
  return triage::digest_text(text);
}

// Where the user says, else in the cache. A damaged file in the cache is begun anew.
Result<triage::State> open_state(const Options &options, const std::string &key) {
  fs::path file = options.state;
  if (options.state.empty()) {
    auto cache = build::Cache::open();
    if (!cache)
      return std::unexpected(cache.error());
    file = cache->root() / "triage" / key;
  }
  using enum triage::State::Keep;
  auto state = triage::State::open(file, key, options.fresh ? nothing : what_fits);
  if (!state && options.state.empty()) {
    std::error_code ignored;
    fs::remove(file, ignored);
    state = triage::State::open(file, key);
  }
  return state;
}

// Each distinct input once.
class Triaging {
public:
  Triaging(const Options &options, const Searching &session, triage::State &state,
           std::vector<triage::Input> inputs)
      : options_(options), session_(session), state_(state), search_(session.search_options()),
        identities_(session.target().tables()) {
    search_.longest = kLongest;
    triage_.inputs = std::move(inputs);
    triage_.of_input.resize(triage_.inputs.size());
    for (size_t i = 0; i < triage_.inputs.size(); ++i)
      if (by_digest_.try_emplace(triage_.inputs[i].digest, jobs_.size()).second)
        jobs_.push_back({.input = i});
  }

  void run() {
    Progress progress({.label = "triage", .total = jobs_.size(), .quiet = options_.quiet});
    session_.each(jobs_.size(), progress, [this](size_t i) {
      if (stop_.stop_requested())
        return false;
      locate(jobs_[i]);
      return true;
    });
  }

  // An Error: what was located could not be kept.
  const std::optional<Error> &error() const { return error_; }

  report::Triage finish() {
    std::vector<std::optional<size_t>> position(jobs_.size());
    for (size_t i = 0; i < jobs_.size(); ++i) {
      if (!jobs_[i].document)
        continue;
      auto record = triage::read_record(*jobs_[i].document);
      if (!record) // a defect of ours
        continue;
      position[i] = triage_.documents.size();
      triage_.documents.push_back(std::move(*jobs_[i].document));
      triage_.records.push_back(std::move(*record));
      triage_.reused += jobs_[i].reused ? 1 : 0;
    }
    for (size_t i = 0; i < triage_.inputs.size(); ++i)
      triage_.of_input[i] = position[by_digest_.at(triage_.inputs[i].digest)];
    return std::move(triage_);
  }

private:
  struct Job {
    size_t input = 0;
    std::optional<Json> document = {}; // none: interrupted
    bool reused = false;
  };

  void locate(Job &job) {
    const triage::Input &input = triage_.inputs[job.input];
    if (const Json *known = state_.find(input.digest)) {
      job.document = *known;
      job.reused = true;
      (*job.document)["label"] = input.run.label;
      (*job.document)["args"] = input.run.arguments;
      return;
    }
    const std::vector<launch::Request> request =
        options_.input.requests(session_.target().program(), {input.run});
    auto found = locate::search(session_.target(), request.front(), search_);
    if (stop_.stop_requested()) // its executions were ended: whatever it found is not to be trusted
      return;
    Json document =
        found ? located(input.run, std::move(*found)) : failed(input.run, found.error());
    if (document["outcome"] != "unresolved")
      if (auto kept = state_.add(input.digest, document); !kept) {
        const std::scoped_lock lock(mutex_);
        error_ = kept.error();
      }
    job.document = std::move(document);
  }

  Json located(const launch::Case &run, locate::Search search) {
    const launch::Ending ending = search.located.status.ending;
    if (search.located.outcome == locate::Outcome::no_corruption && search.difference.empty() &&
        (ending == launch::Ending::timed_out || ending == launch::Ending::over_limit)) {
      search.located.outcome = locate::Outcome::unresolved;
      search.located.reason = launch::describe(search.located.status);
    }
    auto identities = identities_.of(search.located.chain);
    return report::located_document({.label = run.label,
                                     .arguments = run.arguments,
                                     .located = std::move(search.located),
                                     .stacks = std::move(search.stacks),
                                     .orders = search.orders,
                                     .identities = std::move(identities),
                                     .difference = std::move(search.difference)});
  }

  static Json failed(const launch::Case &run, const Error &error) {
    locate::Located located;
    located.outcome = locate::Outcome::unresolved;
    located.reason = error.what;
    return report::located_document(
        {.label = run.label, .arguments = run.arguments, .located = std::move(located)});
  }

  const Options &options_;
  const Searching &session_;
  triage::State &state_;
  locate::SearchOptions search_;
  triage::Identities identities_;
  std::stop_token stop_ = launch::interrupt_token();
  report::Triage triage_;
  std::vector<Job> jobs_;
  std::map<std::string, size_t> by_digest_; // positions in jobs_
  std::mutex mutex_;
  std::optional<Error> error_;
};

// Locates one input of the largest group, a new one if there is any.
std::string next_command(const Json &document, const Options &options) {
  const Json *chosen = nullptr;
  for (const Json &group : document["groups"])
    if (chosen == nullptr || (chosen->value("known", false) && !group.value("known", false)))
      chosen = &group;
  if (chosen == nullptr)
    return {};
  if (options.input.inputs.empty())
    return fmt::format("culprit locate -v -- {} {}", options.input.command[0],
                       chosen->at("example").value("input", ""));
  std::vector<std::string> command = options.input.command;
  const std::string input =
      (fs::path(options.input.inputs) / chosen->at("example").value("input", "")).string();
  bool placed = false;
  for (std::string &word : command)
    for (size_t at = word.find("@@"); at != std::string::npos; at = word.find("@@", at)) {
      word.replace(at, 2, input);
      at += input.size();
      placed = true;
    }
  std::string text = "culprit locate -v -- " + shown_command(command);
  return placed ? text : text + " < " + shown_command({input});
}

int verdict_on(const report::TriageCounts &counts, const Json &document, size_t counting,
               bool new_unresolved) {
  if (counts.remaining != 0) {
    fmt::print(stderr, "culprit: interrupted; what had finished is shown, and the same command "
                       "goes on from there\n");
    return kCannot;
  }
  if (counts.groups == 0 && counts.unresolved != 0)
    return report_error({fmt::format("no input could be resolved: {}",
                                     document["unresolved"].front().value("reason", "")),
                         {}});
  return counting != 0 || new_unresolved ? kFindings : kDone;
}

int execute(const Options &options) {
  auto inputs = read_inputs(options.input);
  if (!inputs)
    return report_error(inputs.error());
  auto session = Searching::open(options);
  if (!session)
    return report_error(session.error());
  auto key = program_key(session->target(), options, session->search_options().settings);
  if (!key)
    return report_error(key.error());
  auto state = open_state(options, *key);
  if (!state)
    return report_error(state.error());

  Triaging triaging(options, *session, *state, std::move(*inputs));
  triaging.run();
  if (triaging.error())
    return report_error(*triaging.error());
  report::Triage triage = triaging.finish();
  Json document = report::document_head("triage", options.input.command[0]);
  const report::TriageCounts counts = report::add_triage(document, triage);
  const size_t counting = session->settle(document);
  document["next"] = next_command(document, options);
  if (auto written = session->write_report(document, report::triage_text); !written)
    return report_error(written.error());
  const bool new_unresolved = !options.files.baseline.empty() &&
                              std::ranges::any_of(document["unresolved"], [&](const Json &entry) {
                                return !session->was_unresolved(entry.value("digest", ""));
                              });
  return verdict_on(counts, document, counting, new_unresolved);
}

} // namespace

Action declare_triage(CLI::App &app) {
  auto options = std::make_shared<Options>();
  options->command_name = "triage";
  options->input.declare(app);
  app.add_option("--state", options->state,
                 "keep what is located in FILE, for the next triage (default: in culprit's cache)")
      ->type_name("FILE");
  app.add_flag("--fresh", options->fresh, "locate all inputs anew");
  options->declare(app, "every crash place, every input");
  return [options] { return execute(*options); };
}

} // namespace culprit::cli
