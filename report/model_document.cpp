// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/model_document.h"

#include "engine/launch/shell_words.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> words(const std::string &arguments) {
  auto line = launch::parse_shell_line(arguments);
  return line ? line->words : std::vector{arguments};
}

// The same run in the model's other part, if there is one.
const access::RunPairs *pairs_of(const model::Contents &contents, const heap::RunSummary &run) {
  for (const auto &[key, pairs] : contents.access.runs)
    if (pairs.arguments == run.arguments && pairs.input == run.input &&
        pairs.build_id == run.build_id)
      return &pairs;
  return nullptr;
}

// A run the heap analysis knows nothing of.
Json access_row(const access::RunPairs &run) {
  return {{"args", words(run.arguments)},
          {"label", run.arguments},
          {"status", run.status},
          {"points", 0},
          {"used", true},
          {"suspicious", false},
          {"why", ""},
          {"build", run.build_id},
          {"pairs", run.pairs.size()}};
}

Json run_row(const heap::RunSummary &run, const heap::RunVerdict &verdict) {
  return {{"args", words(run.arguments)},
          {"label", run.arguments},
          {"status", run.status},
          {"points", run.points},
          {"used", verdict.used},
          {"suspicious", verdict.suspicious},
          {"why", fmt::format("{}", fmt::join(verdict.reasons, "; "))},
          {"build", run.build_id}};
}

Json left_out_row(const LeftOutRun &run) {
  return {{"args", run.arguments}, {"label", run.label}, {"status", run.status},
          {"points", run.points},  {"used", false},      {"suspicious", false},
          {"why", run.why}};
}

// For a picture: the metric's series in the last run that was learned from.
std::vector<float> last_series(std::string_view metric, const std::vector<heap::RunSummary> &runs,
                               const heap::HeapModel &learned) {
  for (size_t i = runs.size(); i-- > 0;) {
    if (i >= learned.runs.size() || !learned.runs[i].used)
      continue;
    for (const heap::MetricSeries &series : runs[i].series)
      if (series.metric == metric)
        return series.values;
  }
  return {};
}

Json metric_row(const heap::LearnedMetric &learned) {
  const bool known = learned.runs != 0;
  return {{"name", learned.metric->name},
          {"title", learned.metric->title},
          {"unit", learned.metric->unit},
          {"class", heap::class_name(learned.stability)},
          {"min", known ? Json(learned.spread.low) : Json(nullptr)},
          {"max", known ? Json(learned.spread.high) : Json(nullptr)},
          {"mean_change", known ? Json(learned.mean_change) : Json(nullptr)},
          {"stddev_change", known ? Json(learned.stddev_change) : Json(nullptr)},
          {"stable_runs", learned.stable_runs},
          {"runs", learned.runs}};
}

Json phase_rows(const std::vector<heap::LearnedPhase> &phases) {
  Json rows = Json::array();
  for (const heap::LearnedPhase &phase : phases)
    rows.push_back({{"begin", phase.begin},
                    {"end", phase.end},
                    {"min", phase.spread.low},
                    {"max", phase.spread.high}});
  return rows;
}

Json site_row(const heap::LearnedSite &learned, const model::Contents &contents) {
  Json metrics = Json::array();
  for (size_t i = 0; i < heap::kSiteMetrics; ++i)
    // What is stable in fewer than half of the runs is no property of the site.
    if (learned.stable_runs[i] * 2 >= learned.runs)
      metrics.push_back({{"name", heap::site_metric(i).name},
                         {"unit", heap::site_metric(i).unit},
                         {"min", learned.metrics[i].low},
                         {"max", learned.metrics[i].high},
                         {"stable_runs", learned.stable_runs[i]}});
  std::string title = "code without bitcode";
  Json location = nullptr;
  std::string type;
  if (const auto known = contents.sites.find(learned.id); known != contents.sites.end()) {
    const model::KnownSite &site = known->second;
    const std::string function = heap::short_function(site.function);
    title = site.line == 0
                ? function
                : fmt::format("{}:{} in {}", std::filesystem::path(site.file).filename().string(),
                              site.line, function);
    location = {{"file", site.file}, {"line", site.line}, {"column", 0}, {"function", function}};
    type = site.type;
  }
  return {{"site", title},          {"id", heap::id_text(learned.id)},
          {"location", location},   {"type", type},
          {"runs", learned.runs},   {"objects", learned.objects},
          {"share", learned.share}, {"metrics", metrics}};
}

} // namespace

void add_model(Json &document, const model::Contents &contents, const heap::HeapModel &learned,
               const std::vector<LeftOutRun> &left_out) {
  const std::vector<heap::RunSummary> runs = model::ordered_runs(contents);
  document["runs"] = Json::array();
  std::set<const access::RunPairs *> told;
  for (size_t i = 0; i < runs.size() && i < learned.runs.size(); ++i) {
    Json row = run_row(runs[i], learned.runs[i]);
    if (const access::RunPairs *pairs = pairs_of(contents, runs[i])) {
      told.insert(pairs);
      row["pairs"] = pairs->pairs.size();
      if (!learned.runs[i].used && !learned.runs[i].suspicious) { // too short for the heap alone
        row["used"] = true;
        row["why"] = fmt::format("for access sets; heap: {}", row["why"].get<std::string>());
      }
    }
    document["runs"].push_back(std::move(row));
  }
  for (const std::string &key : access::ordered_keys(contents.access))
    if (const access::RunPairs &pairs = contents.access.runs.at(key); !told.contains(&pairs))
      document["runs"].push_back(access_row(pairs));
  for (const LeftOutRun &run : left_out)
    document["runs"].push_back(left_out_row(run));

  for (const heap::RunVerdict &run : learned.runs)
    if (learned.used_runs == 0 && !run.reasons.empty() && !document.contains("heap_why"))
      document["heap_why"] = run.reasons[0];
  document["metrics"] = Json::array();
  for (const heap::LearnedMetric &metric : learned.metrics) {
    Json row = metric_row(metric);
    if (!metric.phases.empty())
      row["phases"] = phase_rows(metric.phases);
    row["series"] = last_series(metric.metric->name, runs, learned);
    document["metrics"].push_back(std::move(row));
  }

  // Most objects first: what matters of a heap is on top.
  std::vector<const heap::LearnedSite *> sites;
  for (const auto &[id, site] : learned.sites)
    if (site.runs != 0)
      sites.push_back(&site);
  std::ranges::sort(
      sites, {}, [](const heap::LearnedSite *site) { return std::pair(-site->objects, site->id); });
  document["sites"] = Json::array();
  for (const heap::LearnedSite *site : sites)
    document["sites"].push_back(site_row(*site, contents));
  document["builds"] = Json::array();
  for (const auto &[id, path] : contents.builds)
    document["builds"].push_back({{"id", id}, {"path", path}});
}

void add_run(Json &document, const heap::HeapRun &run, const heap::HeapSettings &settings) {
  document["runs"] =
      Json::array({{{"label", "saved run"}, {"status", ""}, {"points", run.points.size()}}});
  document["metrics"] = Json::array();
  const std::vector<size_t> steps = heap::step_points(run.points, settings);
  for (const heap::Metric &metric : heap::metrics()) {
    const std::vector<double> series = heap::sample(metric, run.points, steps, settings);
    const heap::Window window = heap::judged_window(series.size(), settings);
    const std::span judged = std::span(series).subspan(window.begin, window.size());
    const heap::Extent extent = heap::extent_of(judged);
    const heap::Change change = heap::change_of(judged);
    const bool stable = heap::is_stable(judged, settings);
    Json row = {{"name", metric.name},
                {"title", metric.title},
                {"unit", metric.unit},
                {"class", stable ? "stable" : "moving"},
                {"min", nullptr},
                {"max", nullptr},
                {"mean_change", change.mean},
                {"stddev_change", change.stddev},
                {"stable_runs", stable ? 1 : 0},
                {"series", series}};
    if (extent.count != 0) {
      row["min"] = extent.low;
      row["max"] = extent.high;
    }
    document["metrics"].push_back(std::move(row));
  }
}

} // namespace culprit::report
