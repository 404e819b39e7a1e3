// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See summary.h.
#include "engine/heap/summary.h"

#include "engine/heap/stability.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace culprit::heap {
namespace {

struct Gathered {
  std::vector<float> objects;
  double share = 0; // sums over steps
  std::array<double, CULPRIT_CELLS> cells{};
  size_t present = 0; // steps with any object
  std::array<std::vector<double>, kSiteMetrics> values;
};

void gather(Gathered &site, const Cells &cells, uint64_t all, const HeapSettings &settings) {
  const uint64_t objects = total(cells);
  site.objects.push_back(static_cast<float>(objects));
  if (objects == 0)
    return;
  const auto count = static_cast<double>(objects);
  ++site.present;
  site.share += all == 0 ? 0 : std::min(1.0, count / static_cast<double>(all));
  for (size_t cell = 0; cell < cells.size(); ++cell)
    site.cells[cell] += static_cast<double>(cells[cell]) / count;
  if (objects < settings.site_support)
    return;
  for (unsigned metric = 0; metric < kSiteMetrics; ++metric)
    site.values[metric].push_back(site_value(cells, site_metric(metric)));
}

SiteSummary summary_of(uint64_t id, Gathered &site, const HeapSettings &settings) {
  SiteSummary summary;
  summary.site = id;
  summary.steps = static_cast<uint32_t>(site.values[0].size());
  summary.share = static_cast<float>(site.share / static_cast<double>(site.objects.size()));
  for (size_t cell = 0; cell < summary.cells.size(); ++cell)
    summary.cells[cell] = static_cast<float>(
        site.cells[cell] / static_cast<double>(std::max<size_t>(1, site.present)));
  const auto middle = site.objects.begin() + static_cast<ptrdiff_t>(site.objects.size() / 2);
  std::ranges::nth_element(site.objects, middle);
  summary.objects = *middle;
  for (unsigned metric = 0; metric < kSiteMetrics; ++metric) {
    const Extent extent = extent_of(site.values[metric]);
    summary.low[metric] = static_cast<float>(extent.low);
    summary.high[metric] = static_cast<float>(extent.high);
    summary.stable[metric] = is_stable(site.values[metric], settings);
  }
  return summary;
}

} // namespace

RunSummary summarize_part(const HeapRun &run, std::span<const size_t> steps, Window window,
                          const HeapSettings &settings) {
  RunSummary summary;
  summary.points = static_cast<uint32_t>(run.points.size());
  for (const Metric &metric : metrics()) {
    const std::vector<double> values = sample(metric, run.points, steps, settings);
    summary.series.push_back({std::string(metric.name), {values.begin(), values.end()}});
  }
  if (window.size() == 0)
    return summary;
  std::vector<Gathered> sites(run.sites.size());
  SiteReplay replay(run);
  for (size_t step = window.begin; step < window.end; ++step) {
    replay.to(steps[step]);
    const uint64_t all = total(run.points[steps[step]].cells);
    for (size_t site = 0; site < sites.size(); ++site)
      gather(sites[site], replay.sites()[site], all, settings);
  }
  for (size_t site = 0; site < sites.size(); ++site)
    if (sites[site].present != 0)
      summary.sites.push_back(summary_of(run.sites[site].id, sites[site], settings));
  return summary;
}

RunSummary summarize(const HeapRun &run, const HeapSettings &settings) {
  const std::vector<size_t> steps = step_points(run.points, settings);
  return summarize_part(run, steps, judged_window(steps.size(), settings), settings);
}

std::string unusable(const RunSummary &run, const HeapSettings &settings) {
  if (run.points < settings.min_points)
    return fmt::format("only {} metric point{}, {} are needed", run.points,
                       run.points == 1 ? "" : "s", settings.min_points);
  const std::vector<double> objects = trimmed(run, "live_objects", settings);
  const auto counted =
      std::ranges::count_if(objects, [](double value) { return !std::isnan(value); });
  if (static_cast<size_t>(counted) * 2 < objects.size() || counted == 0)
    return fmt::format("fewer than {} live objects for most of the run", settings.min_objects);
  return {};
}

std::vector<double> trimmed(const RunSummary &run, std::string_view metric,
                            const HeapSettings &settings) {
  const auto series = std::ranges::find(run.series, metric, &MetricSeries::metric);
  if (series == run.series.end())
    return {};
  const Window window = judged_window(series->values.size(), settings);
  return {series->values.begin() + static_cast<ptrdiff_t>(window.begin),
          series->values.begin() + static_cast<ptrdiff_t>(window.end)};
}

} // namespace culprit::heap
