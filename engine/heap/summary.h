// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the model keeps of one run: its resampled series, untrimmed, and a short summary for each
// allocation site. Everything learned is computed from these.
#pragma once

#include "engine/heap/metrics.h"
#include "engine/heap/resample.h"
#include "engine/heap/series.h"
#include "engine/heap/settings.h"
#include "engine/heap/usual_writers.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::heap {

struct SiteSummary {
  uint64_t site = 0;  // static id; 0: unknown code
  uint32_t steps = 0; // of the trimmed run, with at least site_support objects
  float objects = 0;  // median over all trimmed steps
  float share = 0;    // mean share of all objects, 0..1
  // Percent of the site's objects, over `steps`; meaningless if that is 0.
  std::array<float, kSiteMetrics> low{};
  std::array<float, kSiteMetrics> high{};
  std::array<bool, kSiteMetrics> stable{};
  std::array<float, CULPRIT_CELLS> cells{}; // mean share of the site's objects in each cell, 0..1

  bool operator==(const SiteSummary &) const = default;
};

struct MetricSeries {
  std::string metric;
  std::vector<float> values; // NaN: missing
};

struct RunSummary {
  // Who it was. Set by the caller; `input` is a digest of standard input and of named files.
  std::string arguments; // as the user would type them; also the label in reports
  std::string input;
  std::string status; // "exit 0", …
  std::string build_id;
  // What it did.
  uint32_t points = 0;
  std::vector<MetricSeries> series; // in the order of metrics(), all of one length
  std::vector<SiteSummary> sites;   // by id
  // By site; only of runs that were executed again for it, and no part of what the run is.
  std::vector<SiteWriters> writers;
};

RunSummary summarize(const HeapRun &run, const HeapSettings &settings);

// The same for given steps (step_points(), or some of them in order); allocation sites are
// summarized over `window` of them.
RunSummary summarize_part(const HeapRun &run, std::span<const size_t> steps, Window window,
                          const HeapSettings &settings);

// Why a run cannot be learned from (too few points, too few objects); empty: it can.
std::string unusable(const RunSummary &run, const HeapSettings &settings);

// The trimmed series of a metric; empty if the run does not have it.
std::vector<double> trimmed(const RunSummary &run, std::string_view metric,
                            const HeapSettings &settings);

} // namespace culprit::heap
