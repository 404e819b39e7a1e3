// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does a run fit a model? Findings clear the reporting bar, notes do not.
//
// The bar (rule = "margin") has three parts, because a healthy run leaves the raw range of n
// training runs with a probability near 2/(n + 1) for each metric. Margin: beyond the range by
// margin_points, and beyond a one-sided tolerance bound over the runs' minima (or maxima).
// Persistence: for a share of the run, or through its end. Support: enough objects, and enough of
// them beyond the bound. rule = "paper": one point outside the raw range.
//
// Confidence is g / (g + 1), where g is the geometric mean of three ratios of what was seen to what
// the bar asks: margin, persistence and support, the latter two cut at 8. So 0.5 is a finding that
// just clears the bar, and more of anything never lowers it.
//
// Allocation sites: the same seven metrics among the objects of one site, with a coverage raised by
// the number of tests (Bonferroni), larger margins and more support; only the strongest metric of a
// site is a finding. They rank below the findings of the whole heap,
// of which those by degrees come before those by components.
#pragma once

#include "engine/heap/learn.h"

#include <cstdint>
#include <string>
#include <vector>

namespace culprit::heap {

enum class FindingKind {
  anomaly,          // outside the learned range
  poorly_disguised, // flat at an end of the range, where training runs are not
  pathological,     // unstable in training, stable now
  new_site,         // objects from an allocation site that training never saw (always a note)
};
std::string_view kind_title(FindingKind kind); // "heap anomaly", …

struct Range {
  double low = 0;
  double high = 0;
};

struct Finding {
  std::string
      id; // the same for the same thing in another run: "heap.indegree1.high", with the site
  FindingKind kind = FindingKind::anomaly;
  const Metric *metric = nullptr; // null for new_site
  uint64_t site = 0;              // static id, for findings of one allocation site
  bool of_site = false;
  bool high = false;        // above the range (or at its upper end)
  double value = 0;         // the worst
  Range range;              // learned
  Range bar;                // beyond this it counts
  size_t runs = 0;          // learned from: those in which it was stable, or had the site
  size_t of_runs = 0;       // that the model was learned from
  double left_at = 0;       // share of the run's work at which it first left, 0..1
  double outside_share = 0; // share of the judged steps outside
  bool stayed = false;      // outside through the end of the judged part
  size_t first_point = 0;   // positions in HeapRun::points
  size_t worst_point = 0;
  uint32_t worst_index = 0; // the runtime's number of the worst point, for the option `blame`
  uint64_t objects = 0;     // considered at the worst point (live, or of the site)
  uint64_t excess = 0;      // objects beyond the learned range there
  unsigned lost_degree = 0; // of a mean: so many pointers had most of those that now have others
  double confidence = 0;    // 0..1
  int rank = 0;             // from 1, over findings; then over notes
};

struct Verdict {
  std::vector<Finding> findings;    // by rank
  std::vector<Finding> notes;       // by rank
  std::vector<std::string> remarks; // sentences: why something could not be judged
  size_t steps = 0;                 // judged
};

Verdict judge(const HeapModel &model, const HeapRun &run, const HeapSettings &settings);

// `check --learn`: no model; the first part of the run (after start-up), cut into windows, is what
// the rest is judged against, with margins widened by learn_widening.
Verdict learn_then_judge(const HeapRun &run, const HeapSettings &settings);
// The model it used, for showing.
HeapModel learn_from_start(const HeapRun &run, const HeapSettings &settings);

} // namespace culprit::heap
