// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/access_section.h"

#include "report/access_text.h"
#include "report/document.h"
#include "report/fields.h"
#include "report/html/plot.h"
#include "report/html/table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace culprit::report::html {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kSteps = 100; // of a distribution, in its table

// A distribution of a document: [{"size": 1, "share": 0.6}, …].
struct Distribution {
  const char *key;
  const char *axis;
};
constexpr Distribution kSizes = {"accset_size_cdf", "size"};
constexpr Distribution kSimilarity = {"similarity_cdf", "similarity"};
constexpr Distribution kInverse = {"objects_per_site_cdf", "objects"};

std::vector<Point> points_of(const Json &access, const Distribution &distribution) {
  std::vector<Point> points;
  for (const Json &step : list_of(access, distribution.key))
    if (step.is_object())
      points.push_back({number_of(step, distribution.axis, 0), number_of(step, "share", 0)});
  return points;
}

// "1: 61 %, up to 2: 80 %, …": a few steps for those who do not see the plot.
std::string spoken(const std::vector<Point> &points, const Plot &plot) {
  constexpr size_t kSpoken = 6;
  std::string said;
  for (size_t i = 0; i < std::min(kSpoken, points.size()); ++i)
    said += (i == 0 ? "" : "; ") + plot.label(points[i]);
  if (points.size() > kSpoken)
    said += "; … " + plot.label(points.back());
  return said;
}

Markup values_table(const Plot &plot, const char *axis) {
  Markup tables;
  for (const Series &series : plot.series) {
    Table table(fmt::format("{}, {}", plot.title, series.name), "step",
                {{axis, true}, {"share, cumulative", true}}, kSteps);
    for (const Point &point : series.points)
      table.add({text(value_text(plot.x.unit, point.x)), text(value_text(plot.y.unit, point.y))});
    tables += table.markup();
  }
  return folded("values as a table", tables);
}

// What distributions have in common.
Plot distribution_plot(const std::string &title, const Json &access, const Distribution &what) {
  Plot plot;
  plot.title = title;
  plot.steps = true;
  plot.y = {.title = "", .unit = Unit::share, .low = 0, .high = 1.03};
  plot.series.push_back({"all objects", points_of(access, what)});
  if (const Json *globals = object_of(access, "globals"))
    if (std::vector<Point> of_globals = points_of(*globals, what); !of_globals.empty())
      plot.series.push_back({"globals alone", std::move(of_globals)});
  return plot;
}

Markup with_values(Plot plot, const char *axis, const std::string &meaning) {
  if (plot.series[0].points.empty())
    return {};
  plot.says = spoken(plot.series[0].points, plot);
  return element("div", {{"class", "cell"}},
                 joined({figure(plot), element("p", {{"class", "meaning"}}, meaning),
                         values_table(plot, axis)}));
}

Markup sizes(const std::string &title, const Json &access, const Distribution &what,
             const char *axis, const std::string &of, const std::string &meaning) {
  Plot plot = distribution_plot(title, access, what);
  double most = 1;
  for (const Series &series : plot.series)
    for (const Point &point : series.points)
      most = std::max(most, point.x);
  constexpr double kLinear = 20; // up to here, every number has its own place
  const bool wide = most > kLinear;
  // Some room at both ends: a step on the edge would be half hidden.
  plot.x = {.title = axis,
            .unit = Unit::count,
            .low = wide ? 0.8 : 0,
            .high = wide ? most * 1.1 : most + 0.5,
            .logarithmic = wide};
  plot.label = [=](const Point &point) {
    return fmt::format("{}{}: {} of {}", value_text(Unit::count, point.x),
                       point.x > 1 ? " or fewer" : "", value_text(Unit::share, point.y), of);
  };
  return with_values(std::move(plot), axis, meaning);
}

Markup similarity(const std::string &title, const Json &access, const std::string &meaning) {
  Plot plot = distribution_plot(title, access, kSimilarity);
  plot.x = {
      .title = "similarity", .unit = Unit::ratio, .low = -0.03, .high = 1.03, .reversed = true};
  plot.label = [](const Point &point) {
    return fmt::format("{}{}: {} of objects", value_text(Unit::ratio, point.x),
                       point.x < 1 ? " or more" : "", value_text(Unit::share, point.y));
  };
  return with_values(std::move(plot), "similarity", meaning);
}

Markup kinds(const Json &access) {
  const Json *counts = object_of(access, "kinds");
  if (counts == nullptr)
    return {};
  constexpr std::array<std::pair<const char *, const char *>, 6> kNames = {{
      {"global", "globals"},
      {"heap", "heap blocks, by the call sites that allocate them"},
      {"local", "local variables whose address escapes"},
      {"return", "return addresses"},
      {"outside", "places behind blocks"},
      {"freed", "blocks that were freed (one name for all)"},
  }};
  Table table("What the objects are", "kind", {{"kind"}, {"objects", true}}, kNames.size());
  for (const auto &[key, name] : kNames)
    if (const uint64_t count = count_of(*counts, key); count != 0)
      table.add({text(name), text(grouped(count))});
  return table.markup();
}

Markup largest(const Json &access, const PageOptions &options) {
  constexpr size_t kShown = 50;
  Table table("The largest access sets: objects that many places write, of which an outlier says "
              "least",
              "set", {{"object"}, {"sites", true}, {"runs", true}, {"accesses", true}}, kShown);
  for (const Json &set : list_of(access, "largest"))
    if (const Json *object = set.is_object() ? object_of(set, "object") : nullptr)
      table.add({text(access_object_text(*object, options.base)),
                 text(grouped(count_of(set, "size"))), text(grouped(count_of(set, "runs"))),
                 text(grouped(count_of(set, "accesses")))});
  return table.markup();
}

} // namespace

Markup access_section(const Json &access, const PageOptions &options) {
  const bool reads = access.value("reads", false);
  const Json *periods = object_of(access, "periods");
  Facts facts;
  facts.add("objects", grouped(count_of(access, "objects")));
  facts.add("sites", grouped(count_of(access, "sites")));
  facts.add("pairs of site and object", grouped(count_of(access, "pairs")));
  if (const uint64_t accesses = count_of(access, "accesses"); accesses != 0)
    facts.add("accesses counted", grouped(accesses));
  facts.add("watched", std::string(reads ? "reads and writes" : "writes"));
  if (periods != nullptr)
    facts.add("periods of the run", grouped(count_of(*periods, "count")));
  if (const uint64_t accepted = count_of(access, "accepted"); accepted != 0)
    facts.add("accepted by hand", counted(accepted, "pair"));

  const char *verb = reads ? "access" : "write";
  Markup plots;
  plots += sizes("Sites of an object", access, kSizes, "sites in the access set", "objects",
                 fmt::format("Few places {} an object: the steeper the rise, the more an unknown "
                             "place stands out.",
                             verb));
  plots +=
      similarity("Alike from run to run", access,
                 "How much of an object's access set is the same in two runs. High on the left "
                 "means that a few training runs show all there is.");
  if (periods != nullptr)
    plots += similarity("Alike from period to period", *periods,
                        "How much of an object's access set is the same in two periods of the run. "
                        "High on the left means that learning from its first part is enough.");
  plots += sizes("Objects of a site", access, kInverse, "objects the site meets", "sites",
                 fmt::format("The inverse set: most places {} one object only.", verb));
  Markup inside = facts.markup();
  if (!plots.empty())
    inside += element("div", {{"class", "cells"}}, plots);
  inside += kinds(access);
  inside += largest(access, options);
  return section(options.outline, "access", "Access sets", inside);
}

} // namespace culprit::report::html
