// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/live/frame.h"

#include "report/document.h"
#include "report/html/plot.h"
#include "report/live/words.h"
#include "report/sparkline.h"
#include "report/utf8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace culprit::report::live {

namespace {

// Columns of text that has characters of one column only: all that we write, and printable().
size_t columns(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

std::string cut(std::string text, size_t width) {
  if (columns(text) <= width)
    return text;
  size_t at = 0;
  for (size_t seen = 0; at < text.size(); ++at)
    if ((text[at] & 0xc0) != 0x80 && ++seen > width)
      break;
  text.resize(at);
  return text;
}

std::string padded(std::string text, size_t width) {
  text = cut(std::move(text), width);
  text.append(width - columns(text), ' ');
  return text;
}

// The course of a metric in `width` equal steps of work: the value of the last point in each, and
// where there is none the one before.
std::vector<double> steps_of(const State &state, size_t metric, size_t width) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> steps(width, kNone);
  const double all = std::max(1.0, state.course.last_x());
  for (const html::Point &point : state.course.points(metric)) {
    const auto at = static_cast<size_t>(point.x / all * static_cast<double>(width));
    steps[std::min(at, width - 1)] = point.y;
  }
  for (size_t i = 1; i < width; ++i)
    if (!std::isfinite(steps[i]))
      steps[i] = steps[i - 1];
  return steps;
}

Scale scale_of(const State &state, size_t metric) {
  html::Plot plot;
  plot.series.push_back({"", state.course.points(metric)});
  if (const auto &range = state.metrics[metric].range)
    plot.band = html::Band{"", range->low, range->high};
  const html::Axis axis =
      html::axis_for(plot, html::unit_named(state.metrics[metric].metric->unit), "");
  return {axis.low, axis.high};
}

std::string standing(const Metric &metric, const Style &style) {
  const std::string text = standing_text(metric.standing);
  return metric.standing == Standing::outside ? style.alarm(text)
         : metric.standing == Standing::near  ? style.caution(text)
                                              : text;
}

class Screen {
public:
  Screen(const State &state, const FrameOptions &options)
      : state_(state), options_(options),
        chosen_(std::min(options.chosen, state.metrics.size() - 1)) {}

  std::vector<std::string> lines() {
    head();
    const size_t kept = 1; // the keys
    const size_t room =
        options_.height > lines_.size() + kept ? options_.height - lines_.size() - kept : 0;
    const size_t metrics = std::min(room, state_.metrics.size());
    // The chosen one is always among those shown.
    const size_t first = chosen_ < metrics ? 0 : chosen_ + 1 - metrics;
    for (size_t i = first; i < first + metrics; ++i)
      row(i);
    const size_t left = room - metrics;
    const size_t told = std::min(left / 3, told_lines().size());
    if (left - told >= kLeastPlot + 1)
      plot(left - told - 1);
    for (size_t i = 0; i < told; ++i)
      add(told_lines()[i]);
    if (options_.height > kept)
      while (lines_.size() + kept < options_.height)
        lines_.emplace_back();
    keys();
    lines_.resize(std::min(lines_.size(), options_.height));
    return std::move(lines_);
  }

private:
  static constexpr size_t kLeastPlot = 3; // rows
  static constexpr size_t kTitle = 37;    // the longest metric's

  void add(const std::string &text) { lines_.push_back(cut(text, options_.width)); }

  void head() {
    lines_.push_back(
        options_.style.bold(cut("culprit watch: " + printable(state_.command), options_.width)));
    std::string status = printable(status_text(state_));
    if (options_.paused)
      status += "; paused";
    status = cut(status, options_.width);
    lines_.push_back(state_.phase == Phase::judged && !state_.findings.empty()
                         ? options_.style.alarm(status)
                         : status);
    std::string totals;
    for (const auto &[name, value] : totals_texts(state_)) {
      const std::string more =
          fmt::format("{}{}{} {}", totals, totals.empty() ? "" : " · ", name, value);
      if (columns(more) <= options_.width)
        totals = more;
    }
    add(totals);
    lines_.emplace_back();
  }

  // "> 2 indegree = 1       31.0 %  ▂▃▄▅  13.2–18.5 %, outside its range"
  void row(size_t number) {
    const Metric &metric = state_.metrics[number];
    const size_t width = options_.width;
    // Of a narrow terminal the picture goes first, then the range, then the end of the title.
    const size_t title = std::min(kTitle, width > 30 ? std::max<size_t>(20, width / 3) : 14);
    std::string text = fmt::format("{} {} {} {:>9}", number == chosen_ ? ">" : " ",
                                   number < 9 ? fmt::format("{}", number + 1) : " ",
                                   padded(std::string(metric.metric->title), title),
                                   value_text(*metric.metric, metric.now));
    const std::string range = range_text(metric);
    const std::string where = range.empty()
                                  ? std::string()
                                  : fmt::format("{}, {}", range, standing_text(metric.standing));
    const size_t used = columns(text) + (where.empty() ? 0 : columns(where) + 2);
    constexpr size_t kLeastPicture = 8;
    constexpr size_t kMostPicture = 60;
    const size_t learned = 34; // "100.0–100.0 %, outside its range" and blanks: pictures end alike
    const size_t picture = width > columns(text) + learned + kLeastPicture
                               ? std::min(kMostPicture, width - columns(text) - learned - 2)
                               : 0;
    if (picture != 0)
      text += "  " + padded(sparkline(steps_of(state_, number, picture), picture,
                                      scale_of(state_, number)),
                            picture);
    const bool fits = columns(text) + 2 + columns(where) <= width;
    if (!where.empty() && (fits || (used <= width && picture == 0)))
      text += fmt::format("  {}, {}", range, standing(metric, options_.style));
    else
      text = cut(text, width);
    lines_.push_back(number == chosen_ && !options_.style.color ? text
                     : number == chosen_                        ? options_.style.bold(text)
                                                                : text);
  }

  // The chosen metric over `height` rows, its title included: columns of blocks, and the ends of
  // its learned range as lines.
  void plot(size_t height) {
    const Metric &metric = state_.metrics[chosen_];
    constexpr size_t kLabel = 10;
    if (options_.width < kLabel + 10)
      return;
    lines_.emplace_back();
    add(fmt::format("{} over the work of this run{}", metric.metric->title,
                    metric.range ? "; the lines are its learned range" : ""));
    const size_t rows = height - 1;
    const size_t width = options_.width - kLabel - 1;
    const std::vector<double> steps = steps_of(state_, chosen_, width);
    const Scale scale = scale_of(state_, chosen_);
    const double step = (scale.high - scale.low) / static_cast<double>(rows);
    for (size_t i = 0; i < rows; ++i) {
      const double bottom = scale.high - static_cast<double>(i + 1) * step;
      const bool labelled = i == 0 || i + 1 == rows;
      std::string text = fmt::format(
          "{:>10} ", labelled ? value_text(*metric.metric, i == 0 ? scale.high : scale.low) : "");
      for (const double value : steps)
        text += cell(value, bottom, step, metric);
      add(text);
    }
  }

  static const char *cell(double value, double bottom, double step, const Metric &metric) {
    static constexpr std::array<const char *, 9> kBlocks = {" ", "▁", "▂", "▃", "▄",
                                                            "▅", "▆", "▇", "█"};
    const double share = std::isfinite(value) ? (value - bottom) / step : 0;
    const auto eighths = static_cast<size_t>(std::lround(std::clamp(share, 0.0, 1.0) * 8));
    if (eighths != 0)
      return kBlocks[eighths];
    const auto is_here = [&](double end) { return end >= bottom && end < bottom + step; };
    return metric.range && (is_here(metric.range->low) || is_here(metric.range->high)) ? "╌" : " ";
  }

  // Findings, then the latest stacks.
  std::vector<std::string> told_lines() const {
    std::vector<std::string> told;
    told.reserve(state_.findings.size() + state_.stacks.size());
    for (const std::string &finding : state_.findings)
      told.push_back("finding: " + printable(finding));
    for (const monitor::LiveStack &stack : state_.stacks) {
      std::string frames;
      for (const heap::Place &place : stack.frames)
        frames += fmt::format("{}{}", frames.empty() ? "" : " ← ", printable(place.function));
      told.push_back(fmt::format("{}: {} ({}×)", stack_reason(stack), frames, stack.count));
    }
    return told;
  }

  void keys() {
    lines_.push_back(options_.style.faint(
        cut("q end the program · p pause · ↑ ↓ or 1–9 pick a metric", options_.width)));
  }

  const State &state_;
  const FrameOptions &options_;
  size_t chosen_;
  std::vector<std::string> lines_;
};

} // namespace

std::vector<std::string> frame(const State &state, const FrameOptions &options) {
  return Screen(state, options).lines();
}

std::string line(const State &state) {
  std::string text =
      fmt::format("{}: {}, {} live objects, {}", duration_text(state.seconds),
                  counted(state.course.added(), "metric point"), grouped(state.totals.live_objects),
                  human_size(state.totals.live_bytes));
  for (const Metric &metric : state.metrics)
    if (metric.metric->kind == heap::MetricKind::degree && std::isfinite(metric.now))
      text +=
          fmt::format(" · {} {}{}", metric.metric->title, value_text(*metric.metric, metric.now),
                      metric.standing == Standing::outside
                          ? fmt::format(" ({})", standing_text(metric.standing))
                          : "");
  return text;
}

} // namespace culprit::report::live
