// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See judge_site.h.
#include "engine/heap/judge_site.h"

#include "engine/heap/bar.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace culprit::heap {
namespace {

constexpr size_t kMaxNewSites = 5; // notes of a run

// A site's objects at each step of the window.
struct Objects {
  uint64_t id;
  const LearnedSite *learned; // null: training never saw it
  std::vector<Cells> steps;
};

bool can_be_judged(const LearnedSite &site, const HeapSettings &settings) {
  return site.runs >= settings.site_runs;
}

std::vector<Objects> objects_of(const HeapModel &model, const HeapRun &run,
                                std::span<const size_t> steps, Window window,
                                const HeapSettings &settings) {
  std::vector<Objects> sites;
  std::vector<size_t> positions;
  for (size_t i = 0; i < run.sites.size(); ++i) {
    const auto learned = model.sites.find(run.sites[i].id);
    if (learned != model.sites.end() && !can_be_judged(learned->second, settings))
      continue;
    sites.push_back(
        {run.sites[i].id, learned == model.sites.end() ? nullptr : &learned->second, {}});
    positions.push_back(i);
  }
  SiteReplay replay(run);
  for (size_t step = window.begin; step < window.end; ++step) {
    replay.to(steps[step]);
    for (size_t i = 0; i < sites.size(); ++i)
      sites[i].steps.push_back(replay.sites()[positions[i]]);
  }
  // Sites that never have enough objects cannot be judged, and should not make the others' bar
  // higher by counting as tests.
  std::erase_if(sites, [&](const Objects &site) {
    return std::ranges::none_of(
        site.steps, [&](const Cells &cells) { return total(cells) >= settings.site_support; });
  });
  return sites;
}

bool is_stable_in_training(const LearnedSite &site, unsigned metric, const HeapSettings &settings) {
  return static_cast<double>(site.stable_runs[metric]) >=
         settings.stable_share * static_cast<double>(site.runs);
}

// The out-degree that has lost most objects, compared with training. (The mean itself says nothing
// of single objects: nodes with five pointers and their names with none have two and a half.)
unsigned lost_degree(const Cells &cells, const LearnedSite &learned) {
  const auto objects = static_cast<double>(total(cells));
  std::array<double, CULPRIT_CELL_OUT + 1> lost{};
  for (unsigned cell = 0; cell < cells.size(); ++cell)
    lost[culprit_cell_out(cell)] +=
        learned.cells[cell] * objects - static_cast<double>(cells[cell]);
  return static_cast<unsigned>(std::ranges::max_element(lost) - lost.begin());
}

Finding anomaly_of(const Objects &site, unsigned metric, std::span<const Step> steps,
                   const Outside &outside, const HeapRun &run) {
  const Step &worst = steps[outside.worst];
  const Point &last = run.points.back();
  Finding finding;
  finding.kind = FindingKind::anomaly;
  finding.metric = &site_metric(metric);
  finding.id = fmt::format("heap.{}.{}.{}", finding.metric->name, outside.high ? "high" : "low",
                           id_text(site.id));
  finding.site = site.id;
  finding.of_site = true;
  finding.high = outside.high;
  finding.value = worst.value;
  finding.range = worst.range;
  finding.bar = worst.bar;
  finding.runs = site.learned->runs;
  finding.first_point = steps[outside.first].point;
  finding.worst_point = worst.point;
  finding.worst_index = run.points[worst.point].index;
  finding.left_at = last.work == 0 ? 0
                                   : static_cast<double>(run.points[finding.first_point].work) /
                                         static_cast<double>(last.work);
  finding.outside_share =
      static_cast<double>(outside.count) / static_cast<double>(std::max<size_t>(1, outside.judged));
  finding.stayed = outside.through_end;
  finding.objects = static_cast<uint64_t>(worst.objects);
  finding.excess = static_cast<uint64_t>(std::llround(outside.excess));
  finding.lost_degree = lost_degree(site.steps[outside.worst], *site.learned);
  finding.confidence = confidence_of(outside);
  return finding;
}

// The strongest metric of one site, if any clears the bar.
std::optional<Finding> judge_site(const Objects &site, const HeapRun &run,
                                  std::span<const size_t> points, Demands demands,
                                  const HeapSettings &settings) {
  std::optional<Finding> strongest;
  demands.objects = std::max(demands.objects, settings.small_share * site.learned->fewest);
  for (unsigned metric = 0; metric < kSiteMetrics; ++metric) {
    if (!is_stable_in_training(*site.learned, metric, settings))
      continue;
    const Spread &spread = site.learned->metrics[metric];
    const Range bar = bar_of(spread, demands);
    if (bar.low <= 0 && bar.high >= highest_value(site_metric(metric)))
      continue;
    std::vector<Step> steps;
    for (size_t i = 0; i < site.steps.size(); ++i) {
      const auto objects = static_cast<double>(total(site.steps[i]));
      const double value =
          objects == 0 ? std::nan("") : site_value(site.steps[i], site_metric(metric));
      steps.push_back({value, objects, points[i], {spread.low, spread.high}, bar, true});
    }
    const Outside outside = outside_of(steps, demands);
    if (!outside.clears || (strongest && confidence_of(outside) <= strongest->confidence))
      continue;
    strongest = anomaly_of(site, metric, steps, outside, run);
  }
  return strongest;
}

Finding new_site(const Objects &site, const HeapRun &run, std::span<const size_t> points) {
  Finding note;
  note.kind = FindingKind::new_site;
  note.id = fmt::format("heap.new_site.{}", id_text(site.id));
  note.site = site.id;
  note.of_site = true;
  for (size_t i = 0; i < site.steps.size(); ++i)
    if (const uint64_t objects = total(site.steps[i]); objects > note.objects) {
      note.objects = objects;
      note.worst_point = points[i];
    }
  const uint64_t all = total(run.points[note.worst_point].cells);
  note.worst_index = run.points[note.worst_point].index;
  note.value = all == 0 ? 0 : 100 * static_cast<double>(note.objects) / static_cast<double>(all);
  return note;
}

} // namespace

SiteVerdict judge_sites(const HeapModel &model, const HeapRun &run, std::span<const size_t> steps,
                        Window window, double widening, const HeapSettings &settings) {
  SiteVerdict verdict;
  if (window.size() == 0)
    return verdict;
  const std::vector<Objects> sites = objects_of(model, run, steps, window, settings);
  const std::span<const size_t> points = steps.subspan(window.begin, window.size());
  const auto known =
      std::ranges::count_if(sites, [](const Objects &site) { return site.learned != nullptr; });
  Demands demands = site_demands(settings, static_cast<size_t>(known) * kSiteMetrics * 2);
  demands.widening = widening;
  for (const Objects &site : sites)
    if (site.learned == nullptr) {
      if (site.id != 0)
        verdict.notes.push_back(new_site(site, run, points));
    } else if (auto finding = judge_site(site, run, points, demands, settings)) {
      verdict.findings.push_back(*finding);
    }
  std::ranges::sort(verdict.notes, [](const Finding &a, const Finding &b) {
    return a.objects != b.objects ? a.objects > b.objects : a.site < b.site;
  });
  if (verdict.notes.size() > kMaxNewSites)
    verdict.notes.resize(kMaxNewSites);
  return verdict;
}

} // namespace culprit::heap
