// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/check_text.h"
#include "report/document.h"
#include "report/fields.h"
#include "report/folded_stacks.h"
#include "report/html/finding.h"
#include "report/html/neighbourhood.h"
#include "report/html/plot.h"
#include "report/html/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace culprit::report::html {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::optional<Band> band_of(const Json &finding, const char *key, const char *name) {
  const Json *range = object_of(finding, key);
  if (range == nullptr)
    return std::nullopt;
  Band band{name, number_of(*range, "min", kNone), number_of(*range, "max", kNone)};
  if (!std::isfinite(band.low) || !std::isfinite(band.high))
    return std::nullopt;
  return band;
}

// A report of an older culprit says neither: most metrics are shares.
Unit unit_of(const Json &finding) {
  return finding.contains("unit") ? unit_named(text_of(finding, "unit")) : Unit::percent;
}

std::string metric_title(const Json &finding) {
  const std::string title = text_of(finding, "metric_title");
  return title.empty() ? text_of(finding, "metric") : title;
}

Markup metric_figure(const Json &finding) {
  const Json &values = list_of(finding, "series");
  if (values.size() < 2)
    return {};
  Plot plot;
  plot.title = metric_title(finding) + " over this run";
  const double last = static_cast<double>(values.size() - 1);
  Series series{.name = "this run", .points = {}};
  for (size_t i = 0; i < values.size(); ++i)
    series.points.push_back({static_cast<double>(i) / last * 100,
                             values[i].is_number() ? values[i].get<double>() : kNone});
  plot.series.push_back(std::move(series));
  plot.band = band_of(finding, "range", "learned range");
  if (std::optional<Band> bar = band_of(finding, "bar", "reported beyond here");
      bar && plot.band && (bar->low < plot.band->low || bar->high > plot.band->high)) {
    if (bar->low < 0) // no metric gets there
      bar->low = kNone;
    plot.bar = bar;
  }
  const double left_at = number_of(finding, "left_at", kNone);
  const bool left = text_of(finding, "kind") == "anomaly" && std::isfinite(left_at);
  if (left)
    plot.mark = Mark{fmt::format("left the range at {:.0f} %", left_at * 100), left_at * 100};
  plot.marks_violation = true;
  const Unit unit = unit_of(finding);
  plot.y = axis_for(plot, unit, "");
  plot.x = {.title = "of the run", .unit = Unit::percent, .low = 0, .high = 100};
  plot.label = [unit](const Point &point) {
    return fmt::format("{} at {:.0f} % of the run", value_text(unit, point.y), point.x);
  };
  plot.says = text_of(finding, "message") +
              (left ? fmt::format("; left the range at {:.0f} % of the run", left_at * 100) : "");
  return figure(plot);
}

// Whose objects moved, as bars: how many of each allocation site, of all that moved.
Markup blamed_sites(const Json &finding, const PageOptions &options) {
  constexpr size_t kSites = 10;
  uint64_t all = 0;
  for (const Json &site : list_of(finding, "moved"))
    if (site.is_object())
      all += count_of(site, "moved");
  if (all == 0)
    return {};
  Table table("Objects that moved, by where they were allocated", "allocation site",
              {{"allocated at"}, {"objects"}, {"of those that moved"}, {"moved", true}}, kSites);
  for (const Json &site : list_of(finding, "moved")) {
    const uint64_t moved = site.is_object() ? count_of(site, "moved") : 0;
    if (moved == 0)
      continue;
    const Json *location = object_of(site, "location");
    const Markup where = location == nullptr ? Markup() : place(*location, options);
    table.add({where.empty() ? text("unknown code") : where, text(text_of(site, "type")),
               wide_bar(static_cast<double>(moved) / static_cast<double>(all)),
               text(fmt::format("{} of {}", grouped(moved), grouped(count_of(site, "objects"))))});
  }
  return table.markup();
}

Markup suspects(const Json &finding, const PageOptions &options) {
  constexpr size_t kSuspects = 30;
  Table table("Suspects, most likely first", "suspect",
              {{"function"}, {"place"}, {"what it did"}, {"of the objects"}}, kSuspects);
  for (const Json &suspect : list_of(finding, "suspects")) {
    if (!suspect.is_object())
      continue;
    const Json *location = object_of(suspect, "location");
    const double share = number_of(suspect, "share", 0);
    table.add({function(text_of(suspect, "function")),
               location == nullptr ? Markup() : place(*location, options),
               text(role_text(text_of(suspect, "role"))), share > 0 ? share_bar(share) : Markup()});
  }
  return table.markup();
}

Markup objects(const Json &finding, const PageOptions &options) {
  const Json *object = object_of(finding, "object");
  if (object == nullptr)
    return {};
  Facts facts;
  facts.add("objects", text_of(*object, "type"));
  if (const Json *location = object_of(*object, "location"))
    facts.add("allocated at", place(*location, options));
  facts.add("allocated by", chain_text(list_of(*object, "context")));
  if (const uint64_t all = count_of(*object, "objects"); all != 0)
    facts.add("moved", fmt::format("{} of {}", grouped(count_of(*object, "moved")), grouped(all)));
  facts.add("normally", text_of(*object, "normally"));
  facts.add("now", text_of(*object, "now"));
  return facts.markup();
}

Markup stacks(const Json &finding) {
  const Json *all = object_of(finding, "stacks");
  if (all == nullptr)
    return {};
  constexpr std::array<std::pair<const char *, const char *>, 3> kPhases = {{
      {"during", "Call stacks while it moved"},
      {"before", "Call stacks before it left"},
      {"after", "Call stacks after it left"},
  }};
  constexpr size_t kStacks = 12;
  Markup tables;
  for (const auto &[key, title] : kPhases) {
    Table table(title, "stack", {{"stack"}, {"share"}}, kStacks);
    for (const Json &stack : list_of(*all, key))
      if (stack.is_object())
        table.add(
            {text(chain_text(list_of(stack, "frames"))), share_bar(number_of(stack, "share", 0))});
    tables += table.markup();
  }
  return folded("call stacks", tables);
}

} // namespace

Markup heap_evidence(const Json &finding, const PageOptions &options) {
  return joined({metric_figure(finding), objects(finding, options), blamed_sites(finding, options),
                 neighbourhood(finding), suspects(finding, options), stacks(finding)});
}

} // namespace culprit::report::html
