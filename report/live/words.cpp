// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/live/words.h"

#include "report/document.h"
#include "report/html/axis.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace culprit::report::live {

const char *phase_name(Phase phase) {
  switch (phase) {
  case Phase::starting:
    return "starting";
  case Phase::running:
    return "running";
  case Phase::ended:
    return "ended";
  case Phase::judged:
    break;
  }
  return "judged";
}

std::string status_text(const State &state) {
  switch (state.phase) {
  case Phase::starting:
    return "starting";
  case Phase::running:
    return "running";
  case Phase::ended:
    return fmt::format("ended: {}; judging", state.status);
  case Phase::judged:
    break;
  }
  return fmt::format("ended: {}; {}", state.status, state.verdict);
}

std::vector<std::pair<std::string, std::string>> totals_texts(const State &state) {
  return {{"time", duration_text(state.seconds)},
          {"metric points", grouped(state.course.added())},
          {"work", work_text(static_cast<double>(state.totals.work))},
          {"live objects", grouped(state.totals.live_objects)},
          {"live bytes", human_size(state.totals.live_bytes)},
          {"pointers", grouped(state.totals.edges)},
          {"allocated so far", human_size(state.totals.allocated_bytes)}};
}

std::string value_text(const heap::Metric &metric, double value) {
  return html::value_text(html::unit_named(metric.unit), value);
}

std::string range_text(const Metric &metric) {
  if (!metric.range)
    return {};
  return fmt::format("{:.1f}–{:.1f} {}", metric.range->low, metric.range->high,
                     metric.metric->unit);
}

std::string work_text(double work) {
  constexpr std::array<std::pair<double, const char *>, 4> kScales = {
      {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}}};
  for (const auto &[scale, name] : kScales)
    if (work >= scale)
      return fmt::format("{:.3g}{}", work / scale, name);
  return fmt::format("{:.0f}", work);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<uint64_t>(std::max(0.0, seconds));
  if (whole < 100)
    return fmt::format("{} s", whole);
  if (whole < 6000)
    return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string place_text(const heap::Place &place) {
  if (place.file.empty())
    return {};
  return fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

std::string stack_reason(const monitor::LiveStack &stack) {
  const heap::Metric &metric = heap::metrics()[stack.metric]; // the seven come first
  const char *end = stack.high ? "upper" : "lower";
  switch (stack.when) {
  case CULPRIT_STACK_BEFORE:
    return fmt::format("{} moved towards the {} end of its range", metric.title, end);
  case CULPRIT_STACK_CROSSED:
    return fmt::format("{} left its range at the {} end", metric.title, end);
  default:
    return fmt::format("{} beyond the {} end of its range", metric.title, end);
  }
}

std::string thinning_text(const Course &course) {
  if (course.points_in_part() == 1)
    return {};
  return fmt::format("{} points; drawn are the lowest and highest of each {}.",
                     grouped(course.added()), grouped(course.points_in_part()));
}

} // namespace culprit::report::live
