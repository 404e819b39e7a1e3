// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plot as a figure of inline SVG: lines or steps over two axes, a band (a learned range), marks.
// It is complete without the page's script, which adds reading of values by pointer and keyboard
// and a closer look (page.js); what the script shows of a point is written here, in `data-labels`.
//
// Rules: what a plot shows it also says, as its text alternative. Colour is never the only sign.
// Coordinates within the plot's area run from 0 to 1000 both ways.
#pragma once

#include "report/html/axis.h"
#include "report/html/markup.h"
#include "report/html/thinning.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace culprit::report::html {

struct Series {
  std::string name;
  std::vector<Point> points;
};

struct Band {
  std::string name;
  double low = 0;
  double high = 0;
};

struct Mark {
  std::string name;
  double x = 0;
};

struct Plot {
  std::string title;
  std::string says; // the text alternative; empty: made from the points
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::optional<Band> band;     // points outside it are drawn as violations, if it is a check's
  std::optional<Band> bar;      // two dashed lines
  std::optional<Mark> mark;     // a vertical line
  bool steps = false;           // a cumulative distribution
  bool marks_violation = false; // what is outside the band stands out
  bool small = false;
  // What is said of a point. Of values only: '|' separates them.
  std::function<std::string(const Point &)> label;
};

Markup figure(const Plot &plot);

// The line alone, for a table's cell; the table's other cells say what it shows.
Markup spark(const std::vector<Point> &points, const std::optional<Band> &band);

// An axis that all of it fits on, with some air; a share of the heap that hardly moves is not blown
// up to a storm.
Axis axis_for(const Plot &plot, Unit unit, const std::string &title);

// A bar as long as a share (0..1) beside its number.
Markup share_bar(double share);
// The same, to compare rows of a table with one another.
Markup wide_bar(double share);

} // namespace culprit::report::html
