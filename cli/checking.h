// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of `culprit check`: runs cases (or takes a saved run), judges them by a standard, and
// reports.
//
// First every case runs and is judged; then those with findings are explained, which executes them
// again if the heap is concerned. The documents are made as soon as a run is judged, so that what
// is kept in memory does not grow with the number of good cases.
#pragma once

#include "cli/accepting.h"
#include "cli/analysis_options.h"
#include "cli/live.h"
#include "cli/standard.h"
#include "engine/monitor/verified.h"
#include "report/check_document.h"

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace culprit::cli {

struct CheckOptions : AnalysisOptions {
  std::string save;
  std::string run_file;
  std::vector<std::string> accept;
  bool learn = false;
  bool clb = false;
};

// By what a run is judged, besides a model.
struct Terms {
  settings::Settings settings;
  report::Policy policy; // which findings count
};
Result<Terms> read_terms(const CheckOptions &options);

// Who looks on while a run goes on (culprit watch). What there is to be said of it is said to them,
// and a run that is ended by Ctrl-C counts: that is how one watches a program that has no end.
struct Onlooker {
  std::function<void(const std::filesystem::path &run_file)> begins;
  std::function<void(const std::string &finding)> found;     // so far, each once
  std::function<void(const launch::Outcome &outcome)> ended; // the run file is still there
  std::function<void(const nlohmann::ordered_json &document)> judged;
};

class Check {
public:
  using Json = nlohmann::ordered_json;

  Check(const CheckOptions &options, const monitor::Target &target, const Standard &standard,
        const std::filesystem::path &scratch)
      : options_(options), target_(target), standard_(standard), scratch_(scratch),
        accepting_(options.accept, standard) {}
  // One run.
  Check(const CheckOptions &options, const monitor::Target &target, const Standard &standard,
        const std::filesystem::path &scratch, const Onlooker &onlooker)
      : Check(options, target, standard, scratch) {
    onlooker_ = &onlooker;
  }

  Result<void> execute(std::vector<launch::Request> requests);
  void judge_saved(monitor::ReadRun read);
  // --clb: feeds every access of each case to the model of the CLB.
  Result<void> measure_clb();
  // The exit code. The policy says which findings count for it.
  int report(const report::Policy &policy);

private:
  // A run that was judged and has something to explain.
  struct Suspected {
    size_t index = 0;
    report::CheckedRun checked;
  };

  std::filesystem::path run_file(size_t index) const;
  void finished(size_t index, const launch::Outcome &outcome);
  void judge(report::CheckedRun &checked, monitor::ReadRun &read);
  void judged(size_t index, report::CheckedRun checked);
  std::vector<LiveFinding> look(size_t index) const;
  void execute_all(const std::vector<launch::Request> &watched);
  void explain_all();
  void explain(Suspected &suspected, const monitor::Again &again);
  Result<heap::HeapRun> run_again(const monitor::Target &blame, size_t index, uint32_t point) const;
  Result<void> save(size_t index) const;
  std::string next() const;
  Json document();

  const CheckOptions &options_;
  const monitor::Target &target_;
  const Standard &standard_;
  std::filesystem::path scratch_;
  const Onlooker *onlooker_ = nullptr; // none: progress and findings go to standard error
  Accepting accepting_;
  std::vector<launch::Request> requests_; // in the flavour that is judged
  std::vector<Json> documents_;           // of the runs, in order; null: not run
  std::vector<Suspected> suspected_;
  std::optional<size_t> first_suspected_;
  monitor::Verified verified_;
  std::optional<Error> error_;
  size_t judged_ = 0;
  Parts judged_parts_{.heap = false, .access = false}; // some run was long enough for
  bool interrupted_ = false;
  std::string unjudged_; // why the first run that could not be judged was not
  Json clb_;             // null: not measured
};

} // namespace culprit::cli
