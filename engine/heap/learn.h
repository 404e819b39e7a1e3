// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs → what a healthy heap looks like: the class and range of each metric, for the whole heap and
// for each allocation site, and the training inputs that do not fit.
//
// Global: stable in enough runs (stable_share, stable_runs); range = smallest to largest value of
// the stable runs; every other run must stay inside, as judge.h judges it, or it is suspicious and
// left out of everything. Local: the same for each phase or, for a metric that drifts alike in
// every run, for each tenth of the run. Pure: the result depends on the set of runs, not on their
// order.
#pragma once

#include "engine/heap/stability.h"
#include "engine/heap/summary.h"

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace culprit::heap {

enum class MetricClass { global, local, unstable };
std::string_view class_name(MetricClass value); // "global", "local", "unstable"

// How far values go, and how much that differs from run to run.
struct Spread {
  double low = 0; // smallest and largest value of all runs: the paper's range
  double high = 0;
  double low_mean = 0; // of the runs' minima
  double low_stddev = 0;
  double high_mean = 0; // of the runs' maxima
  double high_stddev = 0;
  size_t runs = 0;    // behind low and high
  size_t sampled = 0; // behind means and standard deviations
};

struct LearnedPhase {
  double begin = 0; // earliest begin and latest end, as shares of the trimmed run
  double end = 0;
  Spread spread;
};

struct LearnedMetric {
  const Metric *metric = nullptr;
  MetricClass stability = MetricClass::unstable;
  // Global: low and high of the stable runs, as in the paper; otherwise of all, to be shown. Means
  // and deviations are always of all: stable runs alone would show too little of what is normal.
  Spread spread;
  double mean_change = 0; // mean over the stable runs (all runs, if unstable)
  double stddev_change = 0;
  size_t stable_runs = 0;
  size_t runs = 0;                  // that have the metric
  size_t hugging_low = 0;           // training runs flat at the lower end of the range (judge.h)
  size_t hugging_high = 0;          // and at the upper
  std::vector<LearnedPhase> phases; // local only
};

struct LearnedSite {
  uint64_t id = 0;
  size_t runs = 0;    // with site_support objects for long enough
  double objects = 0; // median over these runs
  double fewest = 0;  // smallest of their medians
  double share = 0;   // mean share of all objects, 0..1, over all runs (0 where absent)
  std::array<Spread, kSiteMetrics> metrics{};
  std::array<size_t, kSiteMetrics> stable_runs{};
  std::array<double, CULPRIT_CELLS> cells{}; // mean share of its objects in each cell
  // Who usually links, unlinks and writes its objects: static id → mean share of them.
  std::array<std::map<uint64_t, double>, kWriterRoles> writers;
  size_t writer_runs = 0; // learned from; 0: not known
};

struct RunVerdict {
  bool used = false;
  bool suspicious = false;
  std::vector<std::string> reasons; // why not used, or by which metrics suspicious
};

struct HeapModel {
  std::vector<LearnedMetric> metrics; // as metrics()
  std::map<uint64_t, LearnedSite> sites;
  std::vector<RunVerdict> runs; // as the runs given
  size_t used_runs = 0;
};

HeapModel learn(std::span<const RunSummary> runs, const HeapSettings &settings);

// How many steps with a value a run needs to be learned from or judged by this metric. Of a paced
// one each is a count, and as many are needed as metric points of a run.
size_t least_values(const Metric &metric, const HeapSettings &settings);

// For the runtime's option `ranges`: the globally stable degree metrics.
std::vector<culprit_range> runtime_ranges(const HeapModel &model);

} // namespace culprit::heap
