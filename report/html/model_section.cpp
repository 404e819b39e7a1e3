// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/model_section.h"

#include "report/document.h"
#include "report/fields.h"
#include "report/html/plot.h"
#include "report/html/table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace culprit::report::html {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string title_of(const Json &metric) {
  const std::string title = text_of(metric, "title");
  return title.empty() ? text_of(metric, "name") : title;
}

// The metric over the run, in percent of its work.
std::vector<Point> series_of(const Json &metric) {
  const Json &values = list_of(metric, "series");
  std::vector<Point> points;
  points.reserve(values.size());
  const double last = std::max(static_cast<double>(values.size()) - 1, 1.0);
  for (size_t i = 0; i < values.size(); ++i)
    points.push_back({static_cast<double>(i) / last * 100,
                      values[i].is_number() ? values[i].get<double>() : kNone});
  return points;
}

std::optional<Band> range_of(const Json &metric) {
  const double low = number_of(metric, "min", kNone);
  const double high = number_of(metric, "max", kNone);
  if (!std::isfinite(low) || !std::isfinite(high))
    return std::nullopt;
  return Band{"learned range", low, high};
}

std::string range_text(const Json &metric) {
  const std::optional<Band> range = range_of(metric);
  const Unit unit = unit_named(text_of(metric, "unit"));
  return range ? fmt::format("{} – {}", value_text(unit, range->low), value_text(unit, range->high))
               : "–";
}

std::string change_text(const Json &metric) {
  const double mean = number_of(metric, "mean_change", kNone);
  const double spread = number_of(metric, "stddev_change", kNone);
  if (!std::isfinite(mean) || !std::isfinite(spread))
    return "–";
  return fmt::format("{:+.2f} ± {:.2f} %", mean, spread);
}

// Of a model; a saved run's metrics have an extent, but nothing learned.
bool is_learned(const Json &metric) {
  const std::string kind = text_of(metric, "class");
  return kind != "stable" && kind != "moving";
}

Markup metric_figure(const Json &metric) {
  Plot plot;
  plot.title = title_of(metric);
  plot.small = true;
  plot.series.push_back({"a run", series_of(metric)});
  if (is_learned(metric))
    plot.band = range_of(metric);
  const Unit unit = unit_named(text_of(metric, "unit"));
  plot.y = axis_for(plot, unit, "");
  plot.x = {.title = "of the run", .unit = Unit::percent, .low = 0, .high = 100};
  plot.says = fmt::format("{}{}; {}", plot.band ? "learned range " : "in this run ",
                          range_text(metric), text_of(metric, "class"));
  plot.label = [unit](const Point &point) {
    return fmt::format("{} at {:.0f} % of the run", value_text(unit, point.y), point.x);
  };
  return figure(plot);
}

Markup phases_of(const Json &metric) {
  std::string phases;
  const Unit unit = unit_named(text_of(metric, "unit"));
  for (const Json &phase : list_of(metric, "phases"))
    if (phase.is_object())
      phases += fmt::format("{}{:.0f}–{:.0f} %: {} – {}", phases.empty() ? "" : "; ",
                            number_of(phase, "begin", 0) * 100, number_of(phase, "end", 0) * 100,
                            value_text(unit, number_of(phase, "min", kNone)),
                            value_text(unit, number_of(phase, "max", kNone)));
  return phases.empty()
             ? Markup()
             : element("small", {{"class", "phases"}}, "phases of the judged part: " + phases);
}

Markup badge(const std::string &kind) {
  return kind.empty() ? Markup() : element("span", {{"class", "badge"}}, kind);
}

std::string state_of(const Json &run) {
  return run.value("suspicious", false) ? "suspicious"
         : run.value("odd", false)      ? "odd"
         : run.value("used", false)     ? "used"
                                        : "not used";
}

} // namespace

Markup metrics_section(const Json &document, const PageOptions &options) {
  constexpr size_t kMetrics = 100;
  const Json &metrics = list_of(document, "metrics");
  const bool learned = std::ranges::any_of(metrics, [](const Json &metric) {
    return metric.value("runs", size_t{1}) != 0; // a saved run has no such number
  });
  if (metrics.empty())
    return {};
  if (!learned)
    return section(options.outline, "heap", "Heap",
                   element("p", "Nothing could be learned of the heap."));
  Table table("Metrics of the heap graph", "metric",
              {{"metric"},
               {"class"},
               {"lowest – highest", true},
               {"change per step", true},
               {"stable runs", true},
               {"a run"}},
              kMetrics);
  Markup stable;
  Markup moving;
  for (const Json &metric : metrics) {
    const std::string kind = text_of(metric, "class");
    const std::vector<Point> points = series_of(metric);
    table.add(
        {text(title_of(metric)), joined({badge(kind), phases_of(metric)}), text(range_text(metric)),
         text(change_text(metric)), text(grouped(count_of(metric, "stable_runs"))),
         points.empty() ? Markup()
                        : spark(points, is_learned(metric) ? range_of(metric) : std::nullopt)});
    if (!points.empty())
      (kind == "unstable" ? moving : stable) += metric_figure(metric);
  }
  Markup inside = element(
      "p", {{"class", "meaning"}},
      "Each metric is a number of the heap's graph: objects are its vertexes, pointers between "
      "them "
      "its edges. A metric that is stable in good runs has a range; check reports what leaves it.");
  inside += table.markup();
  if (!stable.empty())
    inside += element("div", {{"class", "cells narrow"}}, stable);
  if (!moving.empty())
    inside +=
        folded("metrics that are not stable", element("div", {{"class", "cells narrow"}}, moving));
  return section(options.outline, "heap", "Heap metrics", inside);
}

Markup sites_section(const Json &document, const PageOptions &options) {
  constexpr size_t kSites = 100;
  Table table("Allocation sites, most objects first", "site",
              {{"site"}, {"type"}, {"objects", true}, {"runs", true}, {"ranges of its own"}},
              kSites);
  for (const Json &site : list_of(document, "sites")) {
    if (!table.takes_more() || !site.is_object()) {
      table.count_only();
      continue;
    }
    const Json *location = object_of(site, "location");
    std::string ranges;
    for (const Json &metric : list_of(site, "metrics"))
      if (metric.is_object())
        ranges += fmt::format("{}{} {}", ranges.empty() ? "" : "; ", text_of(metric, "name"),
                              range_text(metric));
    table.add({location == nullptr ? text(text_of(site, "site"))
                                   : joined({function(text_of(*location, "function")), text(" "),
                                             place(*location, options)}),
               text(text_of(site, "type")),
               text(value_text(Unit::count, number_of(site, "objects", kNone))),
               text(grouped(count_of(site, "runs"))), text(ranges)});
  }
  return table.empty() ? Markup()
                       : section(options.outline, "sites", "Allocation sites", table.markup());
}

Markup training_runs_section(const Json &document, const PageOptions &options) {
  constexpr size_t kRuns = 500;
  const Json &runs = list_of(document, "runs");
  Table table(
      "Every run, those to look at first", "run",
      {{"run"}, {"ended with"}, {"metric points", true}, {"access pairs", true}, {"learned from"}},
      kRuns);
  // What somebody should look at comes first, and is never left out before the rest.
  for (const bool plain : {false, true})
    for (const Json &run : runs) {
      if (!run.is_object() || (state_of(run) == "used") != plain)
        continue;
      const std::string why = text_of(run, "why");
      table.add({text(text_of(run, "label")), text(text_of(run, "status")),
                 text(grouped(count_of(run, "points"))), text(grouped(count_of(run, "pairs"))),
                 joined({badge(state_of(run)), text(why.empty() ? "" : " " + why)})});
    }
  return table.empty() ? Markup() : section(options.outline, "runs", "Runs", table.markup());
}

} // namespace culprit::report::html
