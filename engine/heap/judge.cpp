// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See judge.h.
#include "engine/heap/judge.h"

#include "engine/heap/bar.h"
#include "engine/heap/judge_site.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace culprit::heap {
namespace {

// A run and the part of it that is judged.
struct Judged {
  const HeapRun &run;
  std::span<const size_t> steps;
  Window window;
  double widening;
  size_t model_runs;
  std::vector<double> objects; // of the window
  std::vector<double> foreign; // share of those from allocation sites training never saw, 0..1

  std::span<const size_t> points() const { return steps.subspan(window.begin, window.size()); }
};

std::vector<double> in_window(const Judged &judged, const Metric &metric,
                              const HeapSettings &settings) {
  const std::vector<double> series = sample(metric, judged.run.points, judged.steps, settings);
  return {series.begin() + static_cast<ptrdiff_t>(judged.window.begin),
          series.begin() + static_cast<ptrdiff_t>(judged.window.end)};
}

std::vector<Step> range_steps(const Judged &judged, std::span<const double> series,
                              const Spread &spread, const Demands &demands) {
  const Range bar = bar_of(spread, demands);
  std::vector<Step> steps;
  steps.reserve(series.size());
  for (size_t i = 0; i < series.size(); ++i)
    steps.push_back(
        {series[i], judged.objects[i], judged.points()[i], {spread.low, spread.high}, bar, true});
  return steps;
}

std::vector<double> foreign_shares(const Judged &judged, const HeapModel &model) {
  std::vector<double> shares;
  SiteReplay replay(judged.run);
  for (const size_t point : judged.points()) {
    replay.to(point);
    uint64_t foreign = 0;
    for (size_t i = 0; i < judged.run.sites.size(); ++i)
      if (!model.sites.contains(judged.run.sites[i].id))
        foreign += total(replay.sites()[i]);
    const uint64_t all = total(judged.run.points[point].cells);
    shares.push_back(
        all == 0 ? 0 : std::min(1.0, static_cast<double>(foreign) / static_cast<double>(all)));
  }
  return shares;
}

// New code allocates objects of its own, and a mix of more kinds is no anomaly: a new allocation
// site may be like any that training knew.
void allow_foreign(std::vector<Step> &steps, const Judged &judged, const HeapModel &model,
                   const Metric &metric) {
  if (metric.kind != MetricKind::degree)
    return;
  std::vector<Extent> known;
  for (const auto &[id, site] : model.sites)
    if (site.runs != 0)
      known.push_back({site.metrics[metric.degree].low, site.metrics[metric.degree].high, 1});
  const Spread spread = spread_of(known);
  for (size_t i = 0; i < steps.size() && spread.runs != 0; ++i) {
    const double foreign = judged.foreign[i];
    Range &bar = steps[i].bar;
    bar.low += foreign * std::min(0.0, spread.low - bar.low);
    bar.high += foreign * std::max(0.0, spread.high - bar.high);
  }
}

double share_of_work(const HeapRun &run, size_t point) {
  const uint64_t all = run.points.back().work;
  return all == 0 ? 0 : static_cast<double>(run.points[point].work) / static_cast<double>(all);
}

Finding finding_of(FindingKind kind, const LearnedMetric &learned, const Judged &judged,
                   std::span<const Step> steps, const Outside &outside) {
  const Step &worst = steps[outside.worst];
  Finding finding;
  finding.kind = kind;
  finding.metric = learned.metric;
  finding.high = outside.high;
  finding.id =
      fmt::format("heap.{}.{}", learned.metric->name,
                  kind == FindingKind::anomaly ? (outside.high ? "high" : "low")
                                               : (kind == FindingKind::pathological ? "pathological"
                                                  : outside.high                    ? "extreme-high"
                                                                 : "extreme-low"));
  finding.value = worst.value;
  finding.range = worst.range;
  finding.bar = worst.bar;
  finding.runs = learned.spread.runs;
  finding.of_runs = judged.model_runs;
  finding.first_point = steps[outside.first].point;
  finding.worst_point = worst.point;
  finding.worst_index = judged.run.points[worst.point].index;
  finding.left_at = share_of_work(judged.run, finding.first_point);
  finding.outside_share =
      static_cast<double>(outside.count) / static_cast<double>(std::max<size_t>(1, outside.judged));
  finding.stayed = outside.through_end;
  finding.objects = std::isnan(worst.objects) ? 0 : static_cast<uint64_t>(worst.objects);
  finding.excess = static_cast<uint64_t>(std::llround(std::max(0.0, outside.excess)));
  finding.confidence = confidence_of(outside);
  return finding;
}

// Where a series is highest (or lowest), for what is not outside.
Outside extreme_of(std::span<const Step> steps, bool high) {
  Outside outside;
  outside.high = high;
  bool first = true;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (std::isnan(steps[i].value))
      continue;
    ++outside.judged;
    if (first)
      outside.first = i;
    const double best = steps[outside.worst].value;
    if (first || (high ? steps[i].value > best : steps[i].value < best))
      outside.worst = i;
    first = false;
  }
  return outside;
}

// What is known to be below the bar has less than even confidence.
void add_note(Verdict &verdict, Finding note) {
  note.confidence = std::clamp(note.confidence, 0.05, 0.49);
  verdict.notes.push_back(std::move(note));
}

bool is_pathological(const LearnedMetric &learned, const HeapModel &model, const Judged &judged,
                     std::span<const double> series, const HeapSettings &settings) {
  constexpr size_t kRuns = 10;   // fewer do not show that a metric is unstable by nature
  constexpr size_t kPoints = 30; // nor do a few points show that it is stable now
  return !is_paced(*learned.metric) && model.used_runs >= kRuns && learned.runs >= kRuns &&
         learned.stable_runs * 10 <= learned.runs && judged.run.points.size() >= kPoints &&
         extent_of(series).count >= kPoints && is_stable(series, settings);
}

void judge_metric(Verdict &verdict, const LearnedMetric &learned, const HeapModel &model,
                  const Judged &judged, double fewest, const HeapSettings &settings) {
  const std::vector<double> series = in_window(judged, *learned.metric, settings);
  if (extent_of(series).count < least_values(*learned.metric, settings))
    return;
  const bool local = learned.stability == MetricClass::local;
  if (settings.by_paper() && local)
    return;
  Demands demands = local ? phase_demands(settings) : heap_demands(settings);
  demands.widening *= judged.widening;
  demands.objects = std::max(demands.objects, settings.small_share * fewest);
  std::vector<Step> steps;
  if (local) {
    steps = phase_steps(learned.phases, series, judged.objects, demands);
    for (size_t i = 0; i < steps.size(); ++i)
      steps[i].point = judged.points()[i];
  } else {
    steps = range_steps(judged, series, learned.spread, demands);
  }
  if (!demands.raw)
    allow_foreign(steps, judged, model, *learned.metric);
  const Outside outside = outside_of(steps, demands);
  if (learned.stability == MetricClass::unstable) {
    if (!is_pathological(learned, model, judged, series, settings))
      return;
    // Strong support: it is stable where no training run ever was.
    if (outside.clears && !demands.raw)
      verdict.findings.push_back(
          finding_of(FindingKind::pathological, learned, judged, steps, outside));
    else
      add_note(verdict, finding_of(FindingKind::pathological, learned, judged, steps,
                                   extreme_of(steps, true)));
    return;
  }
  if (outside.clears) {
    verdict.findings.push_back(finding_of(FindingKind::anomaly, learned, judged, steps, outside));
    return;
  }
  if (local || demands.raw)
    return;
  for (const bool high : {false, true})
    if (model.used_runs >= settings.site_runs &&
        (high ? learned.hugging_high : learned.hugging_low) == 0 &&
        hugs(extent_of(series), learned.spread, high, settings)) {
      add_note(verdict, finding_of(FindingKind::poorly_disguised, learned, judged, steps,
                                   extreme_of(steps, high)));
      return;
    }
  // Outside for long, but not farther than chance may go with so few runs.
  Demands relaxed = demands;
  relaxed.coverage = 0.5;
  std::vector<Step> nearer = range_steps(judged, series, learned.spread, relaxed);
  allow_foreign(nearer, judged, model, *learned.metric);
  const Outside slight = outside_of(nearer, relaxed);
  if (slight.clears)
    add_note(verdict, finding_of(FindingKind::anomaly, learned, judged, steps, slight));
  else if (outside.any)
    add_note(verdict, finding_of(FindingKind::anomaly, learned, judged, steps, outside));
}

// A leak of the usual shape leaves all shares as they are: all that shows is how much there is at
// the end. Sizes follow the input, so this is never a finding, and it is asked for much: as many
// times the most that training ever had as that is of what a small run has at most (a standard
// deviation below the mean of the runs' maxima), and at least some times it.
void note_growth(Verdict &verdict, const HeapModel &model, const Judged &judged,
                 const HeapSettings &settings) {
  constexpr size_t kRuns = 10;      // fewer do not show how much sizes differ
  constexpr double kLeastTimes = 4; // training may have had inputs of one size alone
  for (const LearnedMetric &learned : model.metrics) {
    const double small = learned.spread.high_mean - learned.spread.high_stddev;
    if (learned.metric->kind != MetricKind::size || learned.spread.sampled < kRuns || small <= 0)
      continue;
    const std::vector<double> series = in_window(judged, *learned.metric, settings);
    const double times = std::max(kLeastTimes, learned.spread.high / small);
    const double bar = learned.spread.high * times;
    if (series.empty() || !(series.back() > bar))
      continue;
    const std::vector<Step> steps =
        range_steps(judged, series, learned.spread, heap_demands(settings));
    Outside outside = extreme_of(steps, true);
    outside.worst = series.size() - 1;
    Finding note = finding_of(FindingKind::anomaly, learned, judged, steps, outside);
    note.bar = {0, bar};
    note.stayed = true;
    const auto left =
        std::ranges::find_if(series, [&](double value) { return value > learned.spread.high; });
    note.first_point = judged.points()[static_cast<size_t>(left - series.begin())];
    note.left_at = share_of_work(judged.run, note.first_point);
    add_note(verdict, std::move(note));
    return; // bytes would say the same again
  }
}

// Degrees say what happened to which objects; components, which say only that something did, come
// behind them, and single sites last.
int group_of(const Finding &finding) {
  if (finding.of_site)
    return 3;
  if (finding.metric == nullptr || !is_paced(*finding.metric))
    return 0;
  return finding.metric->kind == MetricKind::component ? 1 : 2;
}

// One pointer joins or parts the largest component, however many objects it has: that is no
// evidence by itself.
void demote_largest(Verdict &verdict) {
  const auto is_largest = [](const Finding &finding) {
    return finding.metric != nullptr && finding.metric->kind == MetricKind::largest;
  };
  if (!std::ranges::all_of(verdict.findings, is_largest))
    return;
  for (Finding &finding : verdict.findings)
    add_note(verdict, std::move(finding));
  verdict.findings.clear();
}

// By group, then the most confident, then the order of the table.
void set_ranks(std::vector<Finding> &findings) {
  std::ranges::sort(findings, [](const Finding &a, const Finding &b) {
    if (group_of(a) != group_of(b))
      return group_of(a) < group_of(b);
    if (a.confidence != b.confidence)
      return a.confidence > b.confidence;
    return a.metric != b.metric ? std::less{}(a.metric, b.metric) : a.id < b.id;
  });
  for (size_t i = 0; i < findings.size(); ++i)
    findings[i].rank = static_cast<int>(i + 1);
}

Verdict judge_part(const HeapModel &model, Judged judged, const HeapSettings &settings) {
  Verdict verdict;
  verdict.steps = judged.window.size();
  judged.objects = in_window(judged, *find_metric("live_objects"), settings);
  judged.foreign = foreign_shares(judged, model);
  double fewest = 0;
  for (const LearnedMetric &learned : model.metrics)
    if (learned.metric->name == "live_objects")
      fewest = learned.spread.low;
  bool any_stable = false;
  for (const LearnedMetric &learned : model.metrics) {
    any_stable |=
        learned.metric->kind != MetricKind::size && learned.stability != MetricClass::unstable;
    if (learned.metric->kind != MetricKind::size && learned.runs != 0)
      judge_metric(verdict, learned, model, judged, fewest, settings);
  }
  if (judged.widening == 1 && !settings.by_paper()) // the start of a run knows no end
    note_growth(verdict, model, judged, settings);
  if (!any_stable)
    verdict.remarks.emplace_back("no metric of this program was stable in training, so only single "
                                 "allocation sites can be judged");
  if (!settings.by_paper()) {
    SiteVerdict sites =
        judge_sites(model, judged.run, judged.steps, judged.window, judged.widening, settings);
    for (std::vector<Finding> *list : {&sites.findings, &sites.notes})
      for (Finding &finding : *list)
        finding.of_runs = model.used_runs;
    std::ranges::move(sites.findings, std::back_inserter(verdict.findings));
    for (Finding &note : sites.notes)
      add_note(verdict, std::move(note));
  }
  if (!settings.by_paper())
    demote_largest(verdict);
  set_ranks(verdict.findings);
  set_ranks(verdict.notes);
  return verdict;
}

// Cut finer than for a model: the windows of the learning part need steps of their own.
HeapSettings learning_settings(const HeapSettings &settings) {
  HeapSettings finer = settings;
  finer.steps = settings.steps * 5;
  finer.min_points = 1; // of a window; the run as a whole was asked before
  return finer;
}

struct LearningPart {
  std::vector<size_t> steps;
  Window learned;
  Window judged;
};

LearningPart learning_part(const HeapRun &run, const HeapSettings &finer) {
  LearningPart part{step_points(run.points, finer), {}, {}};
  const Window all = judged_window(part.steps.size(), finer);
  const auto learned = static_cast<size_t>(finer.learn_share * static_cast<double>(all.size()));
  part.learned = {all.begin, all.begin + learned};
  part.judged = {part.learned.end, all.end};
  return part;
}

HeapModel learn_windows(const HeapRun &run, const LearningPart &part, HeapSettings finer) {
  finer.trim_start = finer.trim_end = 0; // trimmed already
  std::vector<RunSummary> pseudo;
  for (size_t i = 0; i < finer.learn_windows; ++i) {
    const size_t begin = part.learned.begin + part.learned.size() * i / finer.learn_windows;
    const size_t end = part.learned.begin + part.learned.size() * (i + 1) / finer.learn_windows;
    const std::span<const size_t> steps = std::span(part.steps).subspan(begin, end - begin);
    pseudo.push_back(summarize_part(run, steps, {0, steps.size()}, finer));
  }
  return learn(pseudo, finer);
}

} // namespace

std::string_view kind_title(FindingKind kind) {
  switch (kind) {
  case FindingKind::anomaly:
    return "heap anomaly";
  case FindingKind::poorly_disguised:
    return "stable at an extreme";
  case FindingKind::pathological:
    return "unexpectedly stable";
  case FindingKind::new_site:
    break;
  }
  return "new allocation site";
}

Verdict judge(const HeapModel &model, const HeapRun &run, const HeapSettings &settings) {
  const std::vector<size_t> steps = step_points(run.points, settings);
  const Window window = judged_window(steps.size(), settings);
  const std::string why = unusable(summarize_part(run, steps, {}, settings), settings);
  if (!why.empty())
    return {{}, {}, {fmt::format("the heap cannot be judged: {}", why)}, 0};
  if (model.used_runs == 0)
    return {{},
            {},
            {"the heap cannot be judged: the model has no run that it could be learned from"},
            0};
  return judge_part(model, {run, steps, window, 1, model.used_runs, {}, {}}, settings);
}

HeapModel learn_from_start(const HeapRun &run, const HeapSettings &settings) {
  const HeapSettings finer = learning_settings(settings);
  return learn_windows(run, learning_part(run, finer), finer);
}

Verdict learn_then_judge(const HeapRun &run, const HeapSettings &settings) {
  const HeapSettings finer = learning_settings(settings);
  const LearningPart part = learning_part(run, finer);
  // Each window must show stability by itself.
  constexpr size_t kStepsInWindow = 5;
  if (part.learned.size() < settings.learn_windows * kStepsInWindow || part.judged.size() == 0)
    return {{},
            {},
            {fmt::format("the heap cannot be judged: {} metric points are too few to learn from "
                         "the start of the run",
                         run.points.size())},
            0};
  const HeapModel model = learn_windows(run, part, finer);
  if (model.used_runs == 0)
    return {
        {},
        {},
        {"the heap cannot be judged: the start of the run has too few live objects to learn from"},
        0};
  return judge_part(
      model, {run, part.steps, part.judged, settings.learn_widening, model.used_runs, {}, {}},
      finer);
}

} // namespace culprit::heap
