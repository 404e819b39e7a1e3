// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/model_text.h"

#include "report/access_model_text.h"
#include "report/document.h"
#include "report/excerpt.h"
#include "report/fields.h"
#include "report/sparkline.h"
#include "report/wrap.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kSparkWidth = 24;

// Numbers that were not to be had are null in JSON.
double number(const Json &object, const char *key) { return number_of(object, key, std::nan("")); }

std::string range_text(const Json &metric) {
  const double low = number(metric, "min");
  const double high = number(metric, "max");
  if (!std::isfinite(low) || !std::isfinite(high))
    return "–";
  if (text_of(metric, "unit") == "bytes")
    return fmt::format("{} – {}", human_size(static_cast<uint64_t>(std::max(low, 0.0))),
                       human_size(static_cast<uint64_t>(std::max(high, 0.0))));
  if (text_of(metric, "unit") != "%")
    return fmt::format("{} – {}", grouped(static_cast<uint64_t>(std::max(low, 0.0))),
                       grouped(static_cast<uint64_t>(std::max(high, 0.0))));
  return fmt::format("{:.1f} – {:.1f} %", low, high);
}

std::string change_text(const Json &metric) {
  const double mean = number(metric, "mean_change");
  const double spread = number(metric, "stddev_change");
  if (!std::isfinite(mean) || !std::isfinite(spread))
    return "–";
  return fmt::format("{:+.2f} ± {:.2f}", mean, spread);
}

std::string spark_of(const Json &metric) {
  std::vector<double> series;
  if (const auto found = metric.find("series"); found != metric.end() && found->is_array())
    for (const Json &value : *found)
      series.push_back(value.is_number() ? value.get<double>() : std::nan(""));
  // A share that moves by less than this is drawn so: its own ends as a scale would make it a
  // storm.
  constexpr double kLeastSpan = 5;
  std::optional<Scale> scale;
  if (text_of(metric, "unit") == "%") {
    double low = 100;
    double high = 0;
    for (const double value : series)
      if (std::isfinite(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
    if (high - low < kLeastSpan)
      scale = Scale{(high + low - kLeastSpan) / 2, (high + low + kLeastSpan) / 2};
  }
  return sparkline(series, kSparkWidth, scale);
}

// The table's columns. A narrow terminal has those that fit; name and range always.
struct Columns {
  size_t name = 26;
  bool group = true;
  bool change = true;
  bool stable = true;
  bool course = true;

  size_t width() const {
    return 2 + name + 1 + 21 + (group ? 10 : 0) + (change ? 17 : 0) + (stable ? 7 : 0) +
           (course ? 2 + kSparkWidth : 0);
  }
};

Columns columns_for(size_t width, const Json &metrics) {
  Columns columns;
  if (width == 0 || columns.width() <= width)
    return columns;
  columns.name = 0;
  for (const Json &metric : metrics)
    if (text_of(metric, "class") != "unstable")
      columns.name = std::max(columns.name, text_of(metric, "name").size());
  for (bool Columns::*left_out :
       {&Columns::change, &Columns::stable, &Columns::course, &Columns::group})
    if (columns.width() > width)
      columns.*left_out = false;
  return columns;
}

struct Cells {
  std::string name;
  std::string group;
  std::string range;
  std::string change;
  std::string stable;
  std::string course;
};

// fmt pads by code points here, which is what a terminal shows of our dashes.
std::string line(const Cells &cells, const Columns &columns) {
  std::string text = fmt::format("  {:<{}}", cells.name, columns.name);
  if (columns.group)
    text += fmt::format(" {:<9}", cells.group);
  text += fmt::format(" {:<21}", cells.range);
  if (columns.change)
    text += fmt::format(" {:<16}", cells.change);
  if (columns.stable)
    text += fmt::format(" {:>6}", cells.stable);
  if (columns.course)
    text += "  " + cells.course;
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string row(const Json &metric, const Columns &columns) {
  return line({text_of(metric, "name"), text_of(metric, "class"), range_text(metric),
               change_text(metric), fmt::format("{}", metric.value("stable_runs", size_t{0})),
               spark_of(metric)},
              columns);
}

std::string run_line(const Json &run, size_t width) {
  constexpr size_t kTabulated = 76; // columns
  std::string state = run.value("used", false) ? "used" : "not used";
  if (run.value("suspicious", false))
    state = "suspicious";
  else if (run.value("odd", false))
    state = "odd";
  const std::string label = text_of(run, "label");
  const std::string status = text_of(run, "status");
  const auto points = run.value("points", size_t{0});
  std::string text =
      width != 0 && width < kTabulated
          ? fmt::format("  {}: {}, {}, {}", label, status, counted(points, "point"), state)
          : fmt::format("  {:<32} {:<20} {:>6} points  {}", label, status, points, state);
  if (const std::string why = text_of(run, "why"); !why.empty())
    text += ": " + why;
  return text + "\n";
}

std::string runs_text(const Json &document, bool every_run, size_t width) {
  const Json &runs = document.at("runs");
  constexpr size_t kShown = 12; // more are counted, and shown by `culprit show`
  size_t used = 0;
  size_t suspicious = 0;
  size_t shown = 0;
  std::string lines;
  for (const Json &run : runs) {
    used += run.value("used", false) ? 1 : 0;
    suspicious += run.value("suspicious", false) ? 1 : 0;
    if (!every_run && run.value("used", false) && !run.value("suspicious", false) &&
        !run.value("odd", false))
      continue;
    if (every_run || shown < kShown)
      lines += run_line(run, width);
    ++shown;
  }
  if (!every_run && shown > kShown)
    lines += fmt::format("  and {}; -v shows all\n", counted(shown - kShown, "run"));
  std::string head = fmt::format("{}, {} learned from", counted(runs.size(), "run"), used);
  if (suspicious != 0)
    head += fmt::format(", {} suspicious", suspicious);
  // A run whose heap is suspicious says all the same who writes what.
  if (const Json *access = object_of(document, "access");
      access != nullptr && count_of(*access, "runs") != used && count_of(*access, "runs") != 0)
    head += fmt::format("; access sets from {}", grouped(count_of(*access, "runs")));
  return head + "\n" + lines;
}

// Why there is nothing of the heap, and what to do about it.
std::string why_text(const Json &document) {
  const std::string why = text_of(document, "heap_why");
  return why.empty() ? "" : fmt::format(": {}; give it inputs with more work to do", why);
}

std::string sites_text(const Json &sites, size_t most) {
  std::string text = fmt::format("allocation sites with ranges of their own: {}\n", sites.size());
  for (size_t i = 0; i < std::min(most, sites.size()); ++i) {
    std::string ranges;
    for (const Json &metric : sites[i].value("metrics", Json::array()))
      ranges += fmt::format("{}{} {}", ranges.empty() ? "" : ", ", text_of(metric, "name"),
                            range_text(metric));
    text += fmt::format("  {}: {}\n", text_of(sites[i], "site"), ranges);
  }
  if (most != 0 && sites.size() > most)
    text += fmt::format("  {} more; -v shows all\n", sites.size() - most);
  return text;
}

} // namespace

std::string model_text(const Json &document, const ModelTextOptions &options) {
  std::string text = fmt::format("{}: {}", printable(document.value("program", "")),
                                 runs_text(document, options.every_run, options.style.width));
  static const Json kNone = Json::array();
  const bool learned = std::ranges::any_of(document.at("metrics"), [](const Json &metric) {
    return metric.value("runs", size_t{1}) != 0; // a saved run has no such number
  });
  if (!learned && !document.at("metrics").empty())
    text += fmt::format("heap: nothing could be learned{}\n", why_text(document));
  const Json &metrics = learned ? document.at("metrics") : kNone;
  const Columns columns = columns_for(options.style.width, metrics);
  if (!metrics.empty())
    text += options.style.bold(
        line({"metric", "class", "range", "change, %", "stable", "a run"}, columns));
  std::string unstable;
  for (const Json &metric : metrics) {
    if (text_of(metric, "class") == "unstable") {
      if (!options.verbose) {
        unstable += (unstable.empty() ? "" : ", ") + text_of(metric, "name");
        continue;
      }
    }
    text += row(metric, columns);
  }
  if (!unstable.empty())
    text += fmt::format("  unstable (-v shows them): {}\n", unstable);
  if (const auto sites = document.find("sites"); sites != document.end() && !sites->empty())
    text += sites_text(*sites, options.verbose ? sites->size() : options.every_run ? 5 : 0);
  if (const Json *access = object_of(document, "access"))
    text += access_model_text(*access, options.verbose);
  if (const std::string next = text_of(document, "next"); !next.empty())
    text += "next: " + next + "\n";
  return wrapped(text, options.style.width);
}

} // namespace culprit::report
