// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/checking.h"

#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/source_lines.h"
#include "engine/build/file_bytes.h"
#include "engine/launch/shell_words.h"
#include "engine/launch/temporary.h"
#include "engine/monitor/explain.h"
#include "engine/monitor/explain_access.h"
#include "engine/monitor/unmodified.h"
#include "report/access_document.h"
#include "report/check_document.h"
#include "report/check_text.h"
#include "report/document.h"
#include "report/settle.h"
#include "report/utf8.h"
#include "report/wrap.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <unistd.h>

namespace culprit::cli {

namespace fs = std::filesystem;

Result<Terms> read_terms(const CheckOptions &options) {
  auto settings = options.read_settings();
  if (!settings)
    return std::unexpected(settings.error());
  auto policy = options.files.read_policy("check");
  if (!policy)
    return std::unexpected(policy.error());
  return Terms{std::move(*settings), std::move(*policy)};
}

fs::path Check::run_file(size_t index) const { return scratch_ / fmt::format("{}.run", index); }

void Check::judge(report::CheckedRun &checked, monitor::ReadRun &read) {
  checked.run = std::move(read.heap);
  checked.verdict = standard_.judge(checked.run);
  checked.accesses = standard_.judge(std::move(read.access));
  if (const auto &watch = checked.accesses.run.watch; watch && watch->pairs_lost != 0)
    checked.remarks.push_back(
        fmt::format("{} were lost for want of memory: what they would have shown is not judged",
                    report::counted(watch->pairs_lost, "pair")));
  accepting_.take(checked.accesses);
}

void Check::judged(size_t index, report::CheckedRun checked) {
  ++judged_;
  judged_parts_.heap |= checked.verdict.steps != 0;
  judged_parts_.access |= checked.accesses.verdict.runs != 0;
  if (options_.verify) {
    checked.verified = monitor::count_verified(checked.run);
    verified_.add(*checked.verified);
  }
  report::CheckedAccesses &accesses = checked.accesses;
  accesses.note_stacks = monitor::note_stacks(accesses.verdict.notes, accesses.run,
                                              [&] { return target_.symbolizer(accesses.run); });
  if (checked.verdict.findings.empty() && accesses.verdict.findings.empty())
    documents_[index] = report::check_run_document(checked, standard_.settings.heap);
  else
    suspected_.push_back({index, std::move(checked)});
}

void Check::finished(size_t index, const launch::Outcome &outcome) {
  const launch::Case &input = requests_[index].input;
  interrupted_ |= outcome.status.ending == launch::Ending::cancelled;
  if (options_.verbose) {
    std::fwrite(outcome.out.data(), 1, outcome.out.size(), stderr);
    std::fwrite(outcome.err.data(), 1, outcome.err.size(), stderr);
  }
  report::CheckedRun checked;
  checked.label = input.label;
  checked.arguments = input.arguments;
  checked.status = launch::describe(outcome.status);
  if (options_.verbose)
    checked.remarks = outcome.notes;
  auto read = target_.read_run(run_file(index));
  if (!read) {
    if (unjudged_.empty())
      unjudged_ = fmt::format("{}: {}: {}", input.label, checked.status, read.error().what);
    checked.remarks.push_back("not judged: " + read.error().what);
    documents_[index] = report::check_run_document(checked, standard_.settings.heap);
    return;
  }
  if (!options_.save.empty())
    if (auto saved = save(index); !saved && !error_)
      error_ = saved.error();
  std::error_code ignored;
  fs::remove(run_file(index), ignored);
  judge(checked, *read);
  if (const std::string text = monitor::written_pages_text(checked.run.point_flags);
      options_.verbose && !text.empty())
    checked.remarks.push_back(text);
  if (!read->tear.empty())
    checked.remarks.push_back(
        fmt::format("{}; what was written before that is judged", read->tear));
  judged(index, std::move(checked));
}

void Check::judge_saved(monitor::ReadRun read) {
  documents_.resize(1);
  report::CheckedRun checked;
  checked.label = options_.run_file;
  checked.status = read.exit_status ? fmt::format("exit code {}", *read.exit_status)
                                    : std::string("did not end by itself");
  judge(checked, read);
  if (!read.tear.empty())
    checked.remarks.push_back(read.tear);
  if (!checked.verdict.findings.empty())
    checked.remarks.emplace_back("a saved run is not executed again: who wrote the objects is "
                                 "known from call stacks and allocation sites alone");
  judged(0, std::move(checked));
  explain_all();
}

// What is wrong with a run that is not at its end.
std::vector<LiveFinding> Check::look(size_t index) const {
  std::error_code ignored;
  if (!fs::exists(run_file(index), ignored))
    return {};
  auto read = target_.read_run(run_file(index));
  if (!read)
    return {};
  std::vector<LiveFinding> findings;
  const std::string who = requests_.size() == 1 ? "" : requests_[index].input.label + ": ";
  const report::CheckedAccesses accesses = standard_.judge(std::move(read->access));
  for (const access::Finding &finding : accesses.verdict.findings)
    if (std::ranges::find(options_.accept, finding.id) == options_.accept.end())
      findings.push_back(
          {finding.id, fmt::format("{}access anomaly: {} (still running)", who,
                                   report::access_message(
                                       finding, {.run = accesses.run, .model = *accesses.model}))});
  if (read->heap.points.empty())
    return findings;
  for (const heap::Finding &finding : standard_.judge(read->heap).findings)
    findings.push_back({finding.id, fmt::format("{}{}: {} (metric point {}, still running)", who,
                                                heap::kind_title(finding.kind),
                                                report::finding_message(finding, read->heap),
                                                read->heap.points.back().index)});
  return findings;
}

Result<void> Check::save(size_t index) const {
  auto bytes = build::FileBytes::map(run_file(index));
  if (!bytes)
    return std::unexpected(bytes.error());
  return launch::write_atomically(
      requests_.size() == 1 ? options_.save : fmt::format("{}.{}", options_.save, index),
      bytes->view());
}

Result<void> Check::execute(std::vector<launch::Request> requests) {
  requests_ = std::move(requests);
  documents_.resize(requests_.size());
  auto ranges = write_ranges(standard_, scratch_);
  if (!ranges)
    return std::unexpected(ranges.error());
  std::vector<launch::Request> watched;
  for (size_t i = 0; i < requests_.size(); ++i) {
    // Also for the second execution: keeping stacks moves metric points by some units of work.
    if (*ranges)
      requests_[i].runtime_options.emplace_back("ranges", (*ranges)->string());
    watched.push_back(target_.request(requests_[i], run_file(i)));
  }
  execute_all(watched);
  if (error_)
    return std::unexpected(*error_);
  if (!interrupted_ || onlooker_ != nullptr)
    explain_all();
  return {};
}

void Check::execute_all(const std::vector<launch::Request> &watched) {
  const bool looked_on = onlooker_ != nullptr;
  Progress progress(
      {.label = "check", .total = watched.size(), .quiet = options_.quiet || looked_on});
  std::optional<LiveWatch> live;
  const bool judged = standard_.parts.heap || standard_.parts.access;
  if (looked_on ? judged : !options_.quiet && (options_.verbose || isatty(STDERR_FILENO) == 1))
    live.emplace(
        watched.size(), [&](size_t index) { return look(index); },
        [&](const std::string &line) {
          if (looked_on)
            return onlooker_->found(line);
          progress.clear();
          fmt::print(stderr, "culprit: {}\n", report::printable(line));
        });
  if (looked_on)
    onlooker_->begins(run_file(0));
  launch::run_all(watched, options_.input.jobs,
                  [&](size_t index, const Result<launch::Outcome> &outcome) {
                    if (live)
                      live->done(index);
                    progress.advance();
                    if (outcome && looked_on)
                      onlooker_->ended(*outcome);
                    if (!outcome && !error_)
                      error_ = outcome.error();
                    if (outcome && !error_)
                      finished(index, *outcome);
                  });
}

Result<heap::HeapRun> Check::run_again(const monitor::Target &blame, size_t index,
                                       uint32_t point) const {
  const fs::path file = scratch_ / fmt::format("{}.{}.blame", index, point);
  launch::Request request = blame.request(requests_[index], file);
  std::erase_if(request.runtime_options,
                [](const auto &option) { return option.first == "verify"; });
  request.runtime_options.emplace_back("blame", fmt::format("{}", point));
  if (standard_.parts.access) // metric points at the same moments
    request.runtime_options.emplace_back("gaps", "1");
  auto outcome = launch::run(request);
  if (!outcome)
    return std::unexpected(outcome.error());
  auto read = blame.read_run(file);
  std::error_code ignored;
  fs::remove(file, ignored);
  if (!read)
    return std::unexpected(read.error());
  return std::move(read->heap);
}

void Check::explain(Suspected &suspected, const monitor::Again &again) {
  report::CheckedRun &checked = suspected.checked;
  if (!checked.verdict.findings.empty()) {
    symbolize::Symbolizer symbolizer = target_.symbolizer(checked.run);
    checked.explanation = monitor::explain(checked.verdict, checked.run,
                                           standard_.model_for(checked.run), symbolizer, again);
  }
  if (report::CheckedAccesses &accesses = checked.accesses; !accesses.verdict.findings.empty()) {
    symbolize::Symbolizer symbolizer = target_.symbolizer(accesses.run);
    accesses.stacks = monitor::access_stacks(accesses.verdict.findings, accesses.run, symbolizer);
    accesses.settled = standard_.settled(accesses);
  }
  documents_[suspected.index] = report::check_run_document(checked, standard_.settings.heap);
  checked = {};
}

void Check::explain_all() {
  if (suspected_.empty())
    return;
  for (const Suspected &one : suspected_)
    first_suspected_ = std::min(first_suspected_.value_or(one.index), one.index);
  std::optional<Result<monitor::Target>> blame;
  const bool of_heap = std::ranges::any_of(
      suspected_, [](const Suspected &one) { return !one.checked.verdict.findings.empty(); });
  // A saved run has no request, and after Ctrl-C nothing is executed.
  if (!requests_.empty() && of_heap && target_.is_flavour() && !interrupted_)
    blame = options_.open_target(options_.input.command[0], "blame");
  Progress progress({.label = "explain", .total = suspected_.size(), .quiet = options_.quiet});
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < suspected_.size(); i = next++) {
      const size_t index = suspected_[i].index;
      monitor::Again again;
      if (blame)
        again = [&, index](uint32_t point) -> Result<heap::HeapRun> {
          if (!*blame)
            return std::unexpected(blame->error());
          return run_again(**blame, index, point);
        };
      explain(suspected_[i], again);
      progress.advance();
    }
  };
  std::vector<std::jthread> workers;
  for (size_t i = 1; i < std::min<size_t>(options_.input.jobs, suspected_.size()); ++i)
    workers.emplace_back(work);
  work();
}

// The command that shows more of the first run that has findings.
std::string Check::next() const {
  if (!first_suspected_ || requests_.empty())
    return {};
  std::string text = "culprit check ";
  if (options_.learn)
    text += "--learn ";
  if (!options_.only.empty())
    text += fmt::format("--only {} ", options_.only);
  if (options_.deep)
    text += "--deep ";
  if (options_.reads)
    text += "--reads ";
  if (!options_.model.empty())
    text += fmt::format("-m {} ", launch::shell_quote(options_.model));
  text += requests_.size() == 1 && !options_.verbose ? "-v -- " : "-- ";
  text += options_.input.shown(requests_[*first_suspected_].input);
  return text;
}

Check::Json Check::document() {
  Json document = report::document_head("check", options_.input.command.empty()
                                                     ? target_.program().original.string()
                                                     : options_.input.command[0]);
  document["model"] = standard_.file.empty() ? Json(nullptr) : Json(standard_.file.string());
  document["learned_from"] = standard_.by_start ? "start" : "model";
  document["learned_runs"] =
      std::max(standard_.parts.heap ? standard_.heap.used_runs : 0,
               standard_.parts.access && standard_.accesses ? standard_.accesses->runs : 0);
  if (!standard_.by_start) {
    document["learned_by"] = Json::object();
    if (standard_.parts.heap)
      document["learned_by"]["heap"] = standard_.heap.used_runs;
    if (standard_.parts.access && standard_.accesses)
      document["learned_by"]["access"] = standard_.accesses->runs;
    std::set<std::string> statuses;
    for (const auto &[key, run] : standard_.contents.runs)
      statuses.insert(run.status);
    for (const auto &[key, run] : standard_.contents.access.runs)
      statuses.insert(run.status);
    document["learned_statuses"] = statuses;
  }
  document["judged"] = Json::array();
  // A run that is too short to learn from its start departs from nothing: it was not judged.
  const bool any = !standard_.by_start;
  for (const auto &[part, name] :
       {std::pair(standard_.parts.heap && (any || judged_parts_.heap), "heap"),
        std::pair(standard_.parts.access && (any || judged_parts_.access), "access")})
    if (part)
      document["judged"].push_back(name);
  document["remarks"] = standard_.remarks; // on the model, so of all runs
  document["runs"] = Json::array();
  for (Json &run : documents_)
    if (!run.is_null())
      document["runs"].push_back(std::move(run));
  if (options_.verify)
    document["verify"] = report::verify_document(verified_);
  if (!clb_.is_null())
    document["clb"] = clb_;
  document["next"] = next();
  return document;
}

int Check::report(const report::Policy &policy) {
  if (judged_ == 0 && (!interrupted_ || onlooker_ != nullptr))
    return report_error({unjudged_.empty() ? "nothing was run" : unjudged_, {}});
  Json document = this->document();
  if (!options_.accept.empty() && !interrupted_) {
    auto accepted = accepting_.write();
    if (!accepted)
      return report_error(accepted.error());
    document["accepted"] = options_.accept;
    if (!options_.quiet)
      for (const std::string &line : *accepted)
        fmt::print(stderr, "culprit: {}\n", report::printable(line));
  }
  const bool findings = report::settle(document, policy) != 0;
  if (onlooker_ != nullptr)
    onlooker_->judged(document);
  if (auto written = options_.files.write(document); !written)
    return report_error(written.error());
  if (!options_.files.to_output() && (findings || !options_.quiet)) {
    std::error_code ignored;
    const std::string text = report::check_text(document, {.style = options_.style(),
                                                           .source = source_lines(),
                                                           .base = fs::current_path(ignored),
                                                           .verbose = options_.verbose});
    if (auto written = write_document("-", report::wrapped(text, options_.style().width)); !written)
      return report_error(written.error());
  }
  if (verified_.mismatches != 0)
    return report_error({monitor::verified_text(verified_),
                         "this is a defect of culprit; nothing found in these runs is sound"});
  if (options_.verify && !options_.quiet)
    fmt::print(stderr, "culprit: {}\n", monitor::verified_text(verified_));
  if (interrupted_ && onlooker_ == nullptr) {
    fmt::print(stderr, "culprit: interrupted; what had finished is shown\n");
    return kCannot;
  }
  return findings ? kFindings : kDone;
}

} // namespace culprit::cli
