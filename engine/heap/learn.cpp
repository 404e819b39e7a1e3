// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See learn.h.
#include "engine/heap/learn.h"

#include "engine/heap/bar.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace culprit::heap {
namespace {

constexpr size_t kParts = 10;        // of a run whose metric drifts
constexpr size_t kLeastForParts = 8; // runs: fewer are alike by chance
constexpr double kPartWidth = 0.5;   // of the whole range, that a part may have on average

// What one run says about one metric.
struct Sample {
  size_t run = 0; // position among the runs
  std::vector<double> series;
  std::vector<double> objects;
  Extent extent;
  Change change;
  bool stable = false;
  std::optional<std::vector<Phase>> phases;
};

size_t needed_runs(size_t runs, const HeapSettings &settings) {
  // A hair less, so that 40 % of 10 is 4.
  const auto share =
      static_cast<size_t>(std::ceil(settings.stable_share * static_cast<double>(runs) - 1e-9));
  return std::max({share, std::min<size_t>(runs, settings.stable_runs), size_t{1}});
}

// Of a paced metric the steps that were counted follow one another.
void leave_out_missing(Sample &sample) {
  std::vector<double> series;
  std::vector<double> objects;
  for (size_t i = 0; i < sample.series.size(); ++i)
    if (!std::isnan(sample.series[i])) {
      series.push_back(sample.series[i]);
      objects.push_back(i < sample.objects.size() ? sample.objects[i] : 0);
    }
  sample.series = std::move(series);
  sample.objects = std::move(objects);
}

std::vector<Sample> samples_of(std::span<const RunSummary> runs, const Metric &metric,
                               const std::vector<RunVerdict> &verdicts,
                               const HeapSettings &settings) {
  std::vector<Sample> samples;
  for (size_t run = 0; run < runs.size(); ++run) {
    if (!verdicts[run].used)
      continue;
    Sample sample{run,
                  trimmed(runs[run], metric.name, settings),
                  trimmed(runs[run], "live_objects", settings),
                  {},
                  {},
                  false,
                  {}};
    sample.extent = extent_of(sample.series);
    if (sample.extent.count < least_values(metric, settings))
      continue;
    if (is_paced(metric))
      leave_out_missing(sample);
    sample.change = change_of(sample.series);
    sample.stable = is_stable(sample.series, settings);
    if (!is_paced(metric)) // a few counts show no phases
      sample.phases = phases_of(sample.series, settings);
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::vector<Step> steps_of(const Sample &sample, const Spread &spread, const Demands &demands) {
  const Range range{spread.low, spread.high};
  const Range bar = bar_of(spread, demands);
  std::vector<Step> steps;
  steps.reserve(sample.series.size());
  for (size_t i = 0; i < sample.series.size(); ++i)
    steps.push_back(
        {sample.series[i], i < sample.objects.size() ? sample.objects[i] : 0, i, range, bar, true});
  return steps;
}

Spread spread_of_samples(const std::vector<Sample> &samples, bool stable_only) {
  std::vector<Extent> extents;
  for (const Sample &sample : samples)
    if (sample.stable || !stable_only)
      extents.push_back(sample.extent);
  return spread_of(extents);
}

void set_changes(LearnedMetric &learned, const std::vector<Sample> &samples, bool stable_only) {
  std::vector<double> means; // sorted, so that the sum does not depend on the order of the runs
  std::vector<double> deviations;
  for (const Sample &sample : samples)
    if (sample.stable || !stable_only) {
      means.push_back(sample.change.mean);
      deviations.push_back(sample.change.stddev);
    }
  const auto mean = [](std::vector<double> &values) {
    std::ranges::sort(values);
    double sum = 0;
    for (const double value : values)
      sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
  };
  learned.mean_change = mean(means);
  learned.stddev_change = mean(deviations);
}

// The phases most runs agree on, if enough do and no other run contradicts them.
std::vector<LearnedPhase> learn_phases(const std::vector<Sample> &samples,
                                       const HeapSettings &settings) {
  std::map<size_t, size_t> counts;
  for (const Sample &sample : samples)
    if (sample.phases)
      ++counts[sample.phases->size()];
  size_t phases = 0;
  size_t runs = 0;
  for (const auto &[number, count] : counts)
    if (count > runs) {
      phases = number;
      runs = count;
    }
  if (runs < needed_runs(samples.size(), settings) || runs == 0)
    return {};
  std::vector<LearnedPhase> learned(phases, {1, 0, {}});
  for (size_t i = 0; i < phases; ++i) {
    std::vector<Extent> extents;
    for (const Sample &sample : samples) {
      if (!sample.phases || sample.phases->size() != phases)
        continue;
      const Phase &phase = (*sample.phases)[i];
      extents.push_back({phase.low, phase.high, 1});
      learned[i].begin = std::min(learned[i].begin, phase.begin);
      learned[i].end = std::max(learned[i].end, phase.end);
    }
    learned[i].spread = spread_of(extents);
  }
  for (const Sample &sample : samples)
    if (outside_of(phase_steps(learned, sample.series, sample.objects, phase_demands(settings)),
                   phase_demands(settings))
            .clears)
      return {};
  return learned;
}

// A run in parts of equal length, and what each part was in these runs.
std::vector<LearnedPhase> parts_of(const std::vector<const Sample *> &samples) {
  std::vector<LearnedPhase> parts;
  for (size_t i = 0; i < kParts; ++i) {
    std::vector<Extent> extents;
    for (const Sample *sample : samples) {
      const std::span<const double> series = sample->series;
      const size_t begin = series.size() * i / kParts;
      const Extent extent =
          extent_of(series.subspan(begin, series.size() * (i + 1) / kParts - begin));
      if (extent.count != 0)
        extents.push_back(extent);
    }
    if (extents.size() == samples.size())
      parts.push_back({static_cast<double>(i) / kParts, static_cast<double>(i + 1) / kParts,
                       spread_of(extents)});
  }
  return parts;
}

// A metric that drifts, but drifts alike in every run, is known by where in the run one is. That
// runs are alike must show: each, judged by what the others say, is healthy.
std::vector<LearnedPhase> learn_parts(const std::vector<Sample> &samples,
                                      const HeapSettings &settings) {
  if (samples.size() < kLeastForParts)
    return {};
  std::vector<const Sample *> all;
  all.reserve(samples.size());
  for (const Sample &sample : samples)
    all.push_back(&sample);
  for (const Sample &sample : samples) {
    std::vector<const Sample *> others = all;
    std::erase(others, &sample);
    const std::vector<LearnedPhase> parts = parts_of(others);
    if (parts.empty() ||
        outside_of(phase_steps(parts, sample.series, sample.objects, phase_demands(settings)),
                   phase_demands(settings))
            .clears)
      return {};
  }
  std::vector<LearnedPhase> parts = parts_of(all);
  double low = parts.front().spread.low;
  double high = parts.front().spread.high;
  double width = 0; // mean
  for (const LearnedPhase &part : parts) {
    low = std::min(low, part.spread.low);
    high = std::max(high, part.spread.high);
    width += (part.spread.high - part.spread.low) / static_cast<double>(parts.size());
  }
  // Where one is must say something: noise is as wide in every part as in all.
  if (width > kPartWidth * (high - low))
    return {};
  return parts;
}

struct Candidates {
  size_t used = 0;          // runs, with or without the metric
  std::vector<size_t> runs; // that leave the range the stable runs have
  size_t before = 0;        // runs excluded already
  size_t limit = 0;         // how many may be
  std::set<size_t> known;   // runs to be excluded by other metrics
};

LearnedMetric learn_metric(const Metric &metric, const std::vector<Sample> &samples,
                           const HeapSettings &settings, Candidates &candidates) {
  LearnedMetric learned;
  learned.metric = &metric;
  learned.runs = samples.size();
  for (const Sample &sample : samples)
    learned.stable_runs += sample.stable ? 1 : 0;
  if (!samples.empty() && learned.stable_runs >= needed_runs(candidates.used, settings)) {
    learned.stability = MetricClass::global;
    learned.spread = spread_of_samples(samples, true);
    const Demands demands = heap_demands(settings);
    if (metric.kind != MetricKind::size)
      for (const Sample &sample : samples)
        if (!sample.stable && outside_of(steps_of(sample, learned.spread, demands), demands).clears)
          candidates.runs.push_back(sample.run);
    candidates.known.insert(candidates.runs.begin(), candidates.runs.end());
    // What makes no finding makes no run suspicious either.
    if (!candidates.runs.empty() &&
        (metric.kind == MetricKind::largest ||
         candidates.before + candidates.known.size() > candidates.limit)) {
      candidates.runs.clear();
      learned.stability = MetricClass::unstable;
    }
    const Spread all = spread_of_samples(samples, false);
    learned.spread.low_mean = all.low_mean;
    learned.spread.low_stddev = all.low_stddev;
    learned.spread.high_mean = all.high_mean;
    learned.spread.high_stddev = all.high_stddev;
    learned.spread.sampled = all.sampled;
  }
  if (learned.stability != MetricClass::global) {
    learned.spread = spread_of_samples(samples, false);
    learned.phases = learn_phases(samples, settings);
    if (learned.phases.empty() && metric.kind == MetricKind::degree)
      learned.phases = learn_parts(samples, settings);
    if (!learned.phases.empty())
      learned.stability = MetricClass::local;
  }
  set_changes(learned, samples, learned.stability == MetricClass::global);
  for (const Sample &sample : samples) {
    learned.hugging_low += hugs(sample.extent, learned.spread, false, settings) ? 1 : 0;
    learned.hugging_high += hugs(sample.extent, learned.spread, true, settings) ? 1 : 0;
  }
  return learned;
}

void learn_site(LearnedSite &learned, std::vector<const SiteSummary *> &runs, size_t all_runs) {
  // In one order, so that sums do not depend on the order of the runs.
  std::ranges::sort(runs, [](const SiteSummary *a, const SiteSummary *b) {
    return std::tie(a->objects, a->share, a->low, a->high, a->cells) <
           std::tie(b->objects, b->share, b->low, b->high, b->cells);
  });
  std::array<std::vector<Extent>, kSiteMetrics> extents;
  std::vector<float> medians;
  for (const SiteSummary *run : runs) {
    learned.share += run->share / static_cast<double>(all_runs);
    for (size_t cell = 0; cell < learned.cells.size(); ++cell)
      learned.cells[cell] += run->cells[cell] / static_cast<double>(runs.size());
    if (run->steps == 0)
      continue;
    ++learned.runs;
    medians.push_back(run->objects);
    for (size_t metric = 0; metric < extents.size(); ++metric) {
      extents[metric].push_back({run->low[metric], run->high[metric], 1});
      learned.stable_runs[metric] += run->stable[metric] ? 1 : 0;
    }
  }
  if (!medians.empty()) {
    learned.fewest = medians.front(); // sorted by objects
    learned.objects = medians[medians.size() / 2];
  }
  for (size_t metric = 0; metric < extents.size(); ++metric)
    learned.metrics[metric] = spread_of(extents[metric]);
}

void learn_sites(HeapModel &model, std::span<const RunSummary> runs) {
  std::map<uint64_t, std::vector<const SiteSummary *>> by_site;
  for (size_t run = 0; run < runs.size(); ++run)
    if (model.runs[run].used)
      for (const SiteSummary &site : runs[run].sites)
        by_site[site.site].push_back(&site);
  for (auto &[id, summaries] : by_site) {
    LearnedSite &learned = model.sites[id];
    learned.id = id;
    learn_site(learned, summaries, model.used_runs);
  }
}

void learn_writers(HeapModel &model, std::span<const RunSummary> runs) {
  for (size_t run = 0; run < runs.size(); ++run)
    if (model.runs[run].used)
      for (const SiteWriters &site : runs[run].writers)
        if (const auto learned = model.sites.find(site.site); learned != model.sites.end()) {
          ++learned->second.writer_runs;
          for (const WriterShare &writer : site.writers)
            learned->second.writers[writer.role][writer.writer] += writer.share;
        }
  for (auto &[id, site] : model.sites)
    for (auto &writers : site.writers)
      for (auto &[writer, share] : writers)
        share /= static_cast<double>(site.writer_runs);
}

} // namespace

std::string_view class_name(MetricClass value) {
  switch (value) {
  case MetricClass::global:
    return "global";
  case MetricClass::local:
    return "local";
  case MetricClass::unstable:
    break;
  }
  return "unstable";
}

size_t least_values(const Metric &metric, const HeapSettings &settings) {
  return std::max<size_t>(1, is_paced(metric) ? settings.min_points : 1);
}

HeapModel learn(std::span<const RunSummary> runs, const HeapSettings &settings) {
  HeapModel model;
  for (const RunSummary &run : runs) {
    const std::string why = unusable(run, settings);
    model.runs.push_back({why.empty(), false, {}});
    if (!why.empty())
      model.runs.back().reasons.push_back(why);
  }
  const auto usable = static_cast<double>(std::ranges::count_if(model.runs, &RunVerdict::used));
  const double share = settings.by_paper() ? 1 : settings.suspicious_share;
  const auto limit = static_cast<size_t>(std::max(1.0, share * usable));
  size_t found = 0;
  // A suspicious run leaves everything, which changes the ranges: again, until none is left.
  for (;;) {
    model.metrics.clear();
    std::set<size_t> suspicious;
    const auto used = static_cast<size_t>(std::ranges::count_if(model.runs, &RunVerdict::used));
    for (const Metric &metric : metrics()) {
      const std::vector<Sample> samples = samples_of(runs, metric, model.runs, settings);
      Candidates candidates{is_paced(metric) ? used : samples.size(), {}, found, limit, suspicious};
      model.metrics.push_back(learn_metric(metric, samples, settings, candidates));
      for (const size_t run : candidates.runs) {
        suspicious.insert(run);
        const LearnedMetric &learned = model.metrics.back();
        model.runs[run].reasons.push_back(fmt::format(
            "'{}' leaves the range {:.1f}–{:.1f} % of the {} runs in which it is stable",
            metric.title, learned.spread.low, learned.spread.high, learned.stable_runs));
      }
    }
    if (suspicious.empty())
      break;
    found += suspicious.size();
    for (const size_t run : suspicious) {
      model.runs[run].used = false;
      model.runs[run].suspicious = true;
    }
  }
  model.used_runs = static_cast<size_t>(std::ranges::count_if(model.runs, &RunVerdict::used));
  if (model.used_runs != 0)
    learn_sites(model, runs);
  learn_writers(model, runs);
  return model;
}

std::vector<culprit_range> runtime_ranges(const HeapModel &model) {
  std::vector<culprit_range> ranges;
  for (const LearnedMetric &learned : model.metrics)
    if (learned.metric->kind == MetricKind::degree && learned.stability == MetricClass::global)
      ranges.push_back({learned.metric->degree, 0, learned.spread.low, learned.spread.high});
  return ranges;
}

} // namespace culprit::heap
