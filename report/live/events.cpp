// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/live/events.h"

#include "report/document.h"
#include "report/html/plot.h"
#include "report/live/words.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::report::live {

namespace {

using Json = nlohmann::ordered_json;

// Four digits behind the point: a hundredth of what the narrowest plot can show.
Json number(double value) {
  if (!std::isfinite(value))
    return nullptr;
  return std::round(value * 1e4) / 1e4;
}

Json axis(const html::Axis &axis, size_t ticks, bool of_work) {
  Json marks = Json::array();
  for (const double value : axis.ticks(ticks))
    marks.push_back({value, of_work ? work_text(value) : axis.tick_text(value)});
  return {{"low", axis.low}, {"high", axis.high}, {"ticks", marks}};
}

html::Axis y_axis(const State &state, size_t number) {
  const Metric &metric = state.metrics[number];
  html::Plot plot;
  plot.series.push_back({"", state.course.points(number)});
  if (metric.range) {
    plot.band = html::Band{"", metric.range->low, metric.range->high};
    plot.bar = html::Band{"", std::max(0.0, metric.bar.low), metric.bar.high};
  }
  return html::axis_for(plot, html::unit_named(metric.metric->unit), "");
}

Json metric_of(const State &state, size_t number_of, size_t first_part) {
  const Metric &metric = state.metrics[number_of];
  Json xs = Json::array();
  Json ys = Json::array();
  for (const html::Point &point : state.course.points(number_of, first_part)) {
    xs.push_back(point.x);
    ys.push_back(number(point.y));
  }
  return {{"name", metric.metric->name},
          {"now", value_text(*metric.metric, metric.now)},
          {"standing", standing_text(metric.standing)},
          {"axis", axis(y_axis(state, number_of), 4, false)},
          {"x", std::move(xs)},
          {"y", std::move(ys)}};
}

Json stacks_of(const State &state) {
  constexpr size_t kStacks = 24; // shown; the saved run has all
  Json all = Json::array();
  for (const monitor::LiveStack &stack : state.stacks) {
    if (all.size() == kStacks)
      break;
    Json frames = Json::array();
    for (const heap::Place &place : stack.frames)
      frames.push_back({html::visible(place.function), html::visible(place_text(place))});
    all.push_back({{"why", stack_reason(stack)}, {"count", stack.count}, {"frames", frames}});
  }
  return all;
}

Json findings_of(const State &state) {
  Json all = Json::array();
  for (const std::string &finding : state.findings)
    all.push_back(html::visible(finding));
  return all;
}

Json whole_metric(const State &state, size_t number_of) {
  const Metric &metric = state.metrics[number_of];
  Json json = metric_of(state, number_of, 0);
  json["unit"] = metric.metric->unit;
  if (metric.range) {
    json["range"] = {metric.range->low, metric.range->high};
    json["bar"] = {number(std::max(0.0, metric.bar.low)), number(metric.bar.high)};
  }
  return json;
}

std::string event(const char *name, const Json &data) {
  return fmt::format("event: {}\ndata: {}\n\n", name,
                     data.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace

std::string events(const State &state, Told &told) {
  const Course &course = state.course;
  const bool all = !told.any || told.generation != course.generation();
  const bool points = all || told.added != course.added() || told.parts != course.parts();
  const auto seconds = static_cast<uint64_t>(std::max(0.0, state.seconds));
  const bool status = all || told.phase != state.phase || told.seconds != seconds;
  const bool stacks = all || told.stacks_version != state.stacks_version;
  const bool findings = all || told.findings_version != state.findings_version;
  std::string text;
  if (points || status || stacks || findings) {
    Json data;
    data["status"] = html::visible(status_text(state));
    data["phase"] = phase_name(state.phase);
    data["totals"] = Json::array();
    for (const auto &[name, value] : totals_texts(state))
      data["totals"].push_back({name, value});
    if (points) {
      const html::Axis work{
          .title = "", .unit = html::Unit::count, .low = 0, .high = std::max(1.0, course.last_x())};
      data["axis"] = axis(work, 5, true);
      data["metrics"] = Json::array();
      for (size_t i = 0; i < state.metrics.size(); ++i)
        data["metrics"].push_back(all ? whole_metric(state, i) : metric_of(state, i, told.parts));
      data["thinned"] = thinning_text(course);
    }
    if (stacks)
      data["stacks"] = stacks_of(state);
    if (findings)
      data["findings"] = findings_of(state);
    text = event(all ? "all" : "more", data);
  }
  if (state.phase == Phase::judged && !told.end)
    text += event("end", Json::object());
  told = {.any = true,
          .generation = course.generation(),
          .parts = course.parts(),
          .added = course.added(),
          .stacks_version = state.stacks_version,
          .findings_version = state.findings_version,
          .seconds = seconds,
          .phase = state.phase,
          .end = state.phase == Phase::judged};
  return text;
}

} // namespace culprit::report::live
