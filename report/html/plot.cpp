// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/plot.h"

#include "report/document.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace culprit::report::html {

namespace {

constexpr size_t kPoints = 600; // of a series; more than the plot has columns for
constexpr double kExtent = 1000;

struct Frame {
  double width = 640;
  double height = 250;
  double left = 62;
  double right = 28; // half of the last tick's text
  double top = 12;
  double bottom = 44;

  double inner_width() const { return width - left - right; }
  double inner_height() const { return height - top - bottom; }
};

std::string coordinate(double value) {
  std::string digits = fmt::format("{:.1f}", std::clamp(value, -9.9 * kExtent, 9.9 * kExtent));
  if (digits.ends_with(".0"))
    digits.resize(digits.size() - 2);
  return digits == "-0" ? "0" : digits;
}

class Drawing {
public:
  explicit Drawing(const Plot &plot) : plot_(plot) {
    if (plot.small)
      frame_ = {.width = 360, .height = 190, .left = 58, .right = 24, .top = 10, .bottom = 42};
    for (const Series &series : plot.series)
      kept_.push_back(thinned(series.points, kPoints));
  }

  Markup svg() const {
    Markup inside = grid();
    inside += element("svg",
                      {{"class", "area"},
                       {"x", coordinate(frame_.left)},
                       {"y", coordinate(frame_.top)},
                       {"width", coordinate(frame_.inner_width())},
                       {"height", coordinate(frame_.inner_height())},
                       {"viewBox", fmt::format("0 0 {0} {0}", kExtent)},
                       {"preserveAspectRatio", "none"}},
                      area());
    inside += shape("rect", {{"class", "edge"},
                             {"x", coordinate(frame_.left)},
                             {"y", coordinate(frame_.top)},
                             {"width", coordinate(frame_.inner_width())},
                             {"height", coordinate(frame_.inner_height())}});
    inside += titles();
    return element("svg",
                   {{"class", "chart"},
                    {"viewBox", fmt::format("0 0 {} {}", frame_.width, frame_.height)},
                    {"role", "img"},
                    {"aria-label", plot_.title + ": " + says()}},
                   inside);
  }

  Markup legend() const {
    Markup entries;
    for (size_t i = 0; i < plot_.series.size() && plot_.series.size() > 1; ++i)
      entries += entry(fmt::format("line s{}", i), plot_.series[i].name);
    if (plot_.band)
      entries += entry("band", plot_.band->name);
    if (plot_.bar)
      entries += entry("bar", plot_.bar->name);
    if (plot_.marks_violation && has_outside())
      entries += entry("outside", "outside the learned range");
    if (plot_.mark)
      entries += entry("mark", plot_.mark->name);
    return entries.empty() ? Markup() : element("ul", {{"class", "legend"}}, entries);
  }

  // States what the thinning left out.
  std::string totals() const {
    std::string text;
    for (size_t i = 0; i < kept_.size(); ++i)
      if (kept_[i].size() < plot_.series[i].points.size())
        text = fmt::format("{} points; drawn are the lowest and highest of each of {} parts.",
                           grouped(plot_.series[i].points.size()), grouped(kPoints / 2 - 1));
    return text;
  }

private:
  double across(double x) const { return plot_.x.place(x) * kExtent; }
  double down(double y) const { return (1 - plot_.y.place(y)) * kExtent; }

  bool is_outside(const Point &point) const {
    return plot_.band && (point.y < plot_.band->low || point.y > plot_.band->high);
  }

  bool has_outside() const {
    return std::ranges::any_of(kept_, [&](const std::vector<Point> &points) {
      return std::ranges::any_of(points, [&](const Point &point) { return is_outside(point); });
    });
  }

  std::string says() const {
    if (!plot_.says.empty())
      return plot_.says;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Series &series : plot_.series)
      for (const Point &point : series.points)
        if (std::isfinite(point.y)) {
          low = std::min(low, point.y);
          high = std::max(high, point.y);
        }
    if (low > high)
      return "no values";
    return fmt::format("between {} and {}", value_text(plot_.y.unit, low),
                       value_text(plot_.y.unit, high));
  }

  Markup grid() const {
    Markup all;
    for (const double value : plot_.y.ticks(plot_.small ? 4 : 6)) {
      const double y = frame_.top + (1 - plot_.y.place(value)) * frame_.inner_height();
      all += shape("line", {{"class", "grid"},
                            {"x1", coordinate(frame_.left)},
                            {"x2", coordinate(frame_.width - frame_.right)},
                            {"y1", coordinate(y)},
                            {"y2", coordinate(y)}});
      all += element("text",
                     {{"class", "tick"},
                      {"text-anchor", "end"},
                      {"x", coordinate(frame_.left - 6)},
                      {"y", coordinate(y + 4)}},
                     plot_.y.tick_text(value));
    }
    Markup below;
    for (const double value : plot_.x.ticks(plot_.small ? 4 : 8)) {
      const double at = plot_.x.place(value);
      below += element("text",
                       {{"class", "tick"},
                        {"text-anchor", "middle"},
                        {"data-at", coordinate(at * kExtent)},
                        {"x", coordinate(frame_.left + at * frame_.inner_width())},
                        {"y", coordinate(frame_.height - frame_.bottom + 16)}},
                       plot_.x.tick_text(value));
    }
    all += element("g", {{"class", "below"}}, below);
    return all;
  }

  Markup titles() const {
    return element("text",
                   {{"class", "axis"},
                    {"text-anchor", "middle"},
                    {"x", coordinate(frame_.left + frame_.inner_width() / 2)},
                    {"y", coordinate(frame_.height - 6)}},
                   plot_.x.title);
  }

  Markup area() const {
    Markup all;
    if (plot_.band) {
      // A range of one value would be an invisible band.
      constexpr double kThinnest = 6;
      const double top = down(plot_.band->high);
      const double height = std::max(down(plot_.band->low) - top, kThinnest);
      all += shape("rect", {{"class", "band"},
                            {"x", "0"},
                            {"width", coordinate(kExtent)},
                            {"y", coordinate(top)},
                            {"height", coordinate(height)}});
    }
    if (plot_.bar)
      for (const double value : {plot_.bar->low, plot_.bar->high})
        if (std::isfinite(value))
          all += shape("line", {{"class", "bar"},
                                {"x1", "0"},
                                {"x2", coordinate(kExtent)},
                                {"y1", coordinate(down(value))},
                                {"y2", coordinate(down(value))}});
    if (plot_.mark) {
      const std::string x = coordinate(across(plot_.mark->x));
      all += shape(
          "line",
          {{"class", "mark"}, {"x1", x}, {"x2", x}, {"y1", "0"}, {"y2", coordinate(kExtent)}});
    }
    for (size_t i = 0; i < kept_.size(); ++i)
      all += drawn(i);
    return all;
  }

  Markup drawn(size_t number) const {
    const std::vector<Point> &points = kept_[number];
    Markup paths = shape("path", {{"class", fmt::format("line s{}", number)},
                                  {"d", plot_.steps ? stairs(points) : line(points)}});
    if (plot_.marks_violation && has_outside())
      paths += shape("path", {{"class", "outside"}, {"d", outside(points)}});
    std::string xs;
    std::string ys;
    std::string labels;
    for (const Point &point : points) {
      if (!std::isfinite(point.y))
        continue;
      const char *space = xs.empty() ? "" : " ";
      xs += space + coordinate(across(point.x));
      ys += space + coordinate(down(point.y));
      labels += (labels.empty() ? "" : "|") + label(point);
    }
    return element("g",
                   {{"class", "series"},
                    {"data-name", plot_.series.size() > 1 ? plot_.series[number].name : ""},
                    {"data-x", xs},
                    {"data-y", ys},
                    {"data-labels", labels}},
                   paths);
  }

  std::string label(const Point &point) const {
    if (plot_.label)
      return plot_.label(point);
    return value_text(plot_.x.unit, point.x) + ": " + value_text(plot_.y.unit, point.y);
  }

  std::string at(const Point &point) const {
    return coordinate(across(point.x)) + " " + coordinate(down(point.y));
  }

  std::string line(const std::vector<Point> &points) const {
    std::string path;
    bool pen_down = false;
    for (const Point &point : points) {
      const bool there = std::isfinite(point.y);
      if (there)
        path += (pen_down ? "L" : "M") + at(point);
      pen_down = there;
    }
    // A line of one point is drawn as a dot, by its round ends.
    return path.find('L') == std::string::npos && !path.empty() ? path + "h0.1" : path;
  }

  // From nothing at the left edge, level with each value up to the next, to the right edge.
  std::string stairs(const std::vector<Point> &points) const {
    std::string path = "M0 " + coordinate(kExtent);
    for (const Point &point : points)
      path += "H" + coordinate(across(point.x)) + "V" + coordinate(down(point.y));
    return path + "H" + coordinate(kExtent);
  }

  // The points outside the band, with the line that leads there.
  std::string outside(const std::vector<Point> &points) const {
    std::string path;
    bool pen_down = false;
    for (size_t i = 0; i < points.size(); ++i) {
      const bool there = std::isfinite(points[i].y) && is_outside(points[i]);
      if (there && !pen_down)
        path += "M" + at(i > 0 && std::isfinite(points[i - 1].y) ? points[i - 1] : points[i]);
      if (there)
        path += "L" + at(points[i]);
      pen_down = there;
    }
    return path;
  }

  static Markup entry(const std::string &kind, const std::string &name) {
    const Markup sample =
        kind == "band"
            ? shape("rect", {{"class", kind}, {"width", "24"}, {"height", "12"}})
            : shape("path", {{"class", kind}, {"d", kind == "mark" ? "M12 0V12" : "M0 6H24"}});
    return element(
        "li",
        joined({element("svg",
                        {{"class", "sample"}, {"viewBox", "0 0 24 12"}, {"aria-hidden", "true"}},
                        sample),
                text(name)}));
  }

  const Plot &plot_;
  Frame frame_;
  std::vector<std::vector<Point>> kept_; // as plot_.series, thinned
};

} // namespace

Axis axis_for(const Plot &plot, Unit unit, const std::string &title) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  const auto take = [&](double value) {
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  };
  for (const Series &series : plot.series)
    for (const Point &point : series.points)
      take(point.y);
  for (const auto &band : {plot.band, plot.bar})
    if (band) {
      take(band->low);
      take(band->high);
    }
  if (low > high)
    return {.title = title, .unit = unit};
  const double least = unit == Unit::percent ? 5 : 1;
  const double air = std::max((high - low) * 0.08, (least - (high - low)) / 2);
  Axis axis{.title = title, .unit = unit, .low = low - air, .high = high + air};
  if (low >= 0) // no metric is negative: do not suggest it
    axis.low = std::max(axis.low, 0.0);
  if (unit == Unit::percent && high <= 100)
    axis.high = std::min(axis.high, 100.0);
  return axis;
}

Markup figure(const Plot &plot) {
  const Drawing drawing(plot);
  Markup inside = element("figcaption", plot.title);
  inside += drawing.svg();
  inside += drawing.legend();
  if (const std::string totals = drawing.totals(); !totals.empty())
    inside += element("p", {{"class", "totals"}}, totals);
  return element("figure", {{"class", plot.small ? "plot small" : "plot"}}, inside);
}

Markup spark(const std::vector<Point> &points, const std::optional<Band> &band) {
  constexpr size_t kSparkPoints = 60;
  Plot plot;
  plot.series.push_back({"", thinned(points, kSparkPoints)});
  plot.band = band;
  plot.y = axis_for(plot, Unit::percent, "");
  double last = 1;
  for (const Point &point : points)
    last = std::max(last, point.x);
  std::string path;
  bool pen_down = false;
  for (const Point &point : plot.series[0].points) {
    const bool there = std::isfinite(point.y);
    if (there)
      path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", point.x / last * 120,
                          (1 - plot.y.place(point.y)) * 24);
    pen_down = there;
  }
  Markup inside;
  if (band) {
    const double top = (1 - plot.y.place(band->high)) * 24;
    const double bottom = (1 - plot.y.place(band->low)) * 24;
    inside += shape("rect", {{"class", "band"},
                             {"width", "120"},
                             {"y", fmt::format("{:.1f}", top)},
                             {"height", fmt::format("{:.1f}", std::max(bottom - top, 1.0))}});
  }
  inside += shape("path", {{"class", "line s0"}, {"d", path}});
  return element("svg", {{"class", "spark"}, {"viewBox", "0 0 120 24"}, {"aria-hidden", "true"}},
                 inside);
}

namespace {

Markup bar_of(double share, const char *kind) {
  const double part = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
  const Markup bars = joined(
      {shape("rect", {{"class", "all"}, {"width", "100"}, {"height", "10"}}),
       shape("rect", {{"class", "part"}, {"width", coordinate(part * 100)}, {"height", "10"}})});
  return joined({element("svg",
                         {{"class", kind},
                          {"viewBox", "0 0 100 10"},
                          {"preserveAspectRatio", "none"},
                          {"aria-hidden", "true"}},
                         bars),
                 text(fmt::format("{:.0f} %", part * 100))});
}

} // namespace

Markup share_bar(double share) { return bar_of(share, "share"); }
Markup wide_bar(double share) { return bar_of(share, "share wide"); }

} // namespace culprit::report::html
