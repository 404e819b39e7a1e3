// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/walk.h"

#include "report/document.h"
#include "report/fields.h"
#include "report/html/table.h"

#include <fmt/format.h>
#include <string_view>

namespace culprit::report::html {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kSteps = 100;                     // shown of a walk
constexpr size_t kTimes = 50;                      // of one statement
constexpr std::string_view kSystemFiles = "/usr/"; // their source tells nobody anything

// A step, and the times in a row that it was taken.
struct Stop {
  size_t first = 0;
  size_t count = 1;
};

std::vector<Stop> stops_of(const std::vector<Spot> &steps) {
  std::vector<Stop> stops;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (!stops.empty() && steps[i].location == steps[stops.back().first].location)
      ++stops.back().count;
    else
      stops.push_back({.first = i});
  }
  return stops;
}

Markup where(const Json &location, const PageOptions &options) {
  Markup line = place(location, options);
  if (const std::string name = text_of(location, "function"); !name.empty())
    line += joined({text(line.empty() ? "in " : " in "), function(name)});
  return line;
}

Markup further(const std::vector<Spot> &steps, const Stop &stop) {
  Markup items;
  for (size_t i = 1; i < stop.count && i <= kTimes; ++i)
    items += element("li", steps[stop.first + i].words);
  if (stop.count > kTimes + 1)
    items += element("li", fmt::format("and {} more", grouped(stop.count - 1 - kTimes)));
  return items.empty() ? Markup()
                       : folded(fmt::format("{} here", counted(stop.count - 1, "further time")),
                                element("ul", items));
}

Markup stop_item(const std::vector<Spot> &steps, const Stop &stop, const std::string &role,
                 const PageOptions &options) {
  const Spot &spot = steps[stop.first];
  Markup line = where(spot.location, options);
  if (!role.empty())
    line = joined({element("span", {{"class", "badge end"}}, role), text(" "), line});
  Markup inside = element("p", {{"class", "where"}}, line);
  Markup source;
  if (!text_of(spot.location, "file").starts_with(kSystemFiles))
    source = excerpt(spot.location, spot.words, options);
  inside += source.empty() ? element("p", spot.words) : source;
  inside += further(steps, stop);
  return element("li", {{"class", role.empty() ? "step" : "step end"}}, inside);
}

} // namespace

Markup walk(const std::vector<Spot> &steps, const Ends &ends, const PageOptions &options) {
  const std::vector<Stop> stops = stops_of(steps);
  Markup items;
  for (size_t i = 0; i < stops.size(); ++i) {
    if (stops.size() > kSteps && i == kSteps / 2) {
      const size_t left_out = stops.size() - kSteps;
      items +=
          element("li", {{"class", "step totals"}},
                  fmt::format("{} left out; the JSON report has all.", counted(left_out, "step")));
      i += left_out;
    }
    const bool is_last = i + 1 == stops.size();
    items += stop_item(steps, stops[i], i == 0 ? ends.first : is_last ? ends.last : "", options);
  }
  return items.empty() ? Markup() : element("ol", {{"class", "walk"}}, items);
}

} // namespace culprit::report::html
