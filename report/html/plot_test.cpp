// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/plot.h"

#include <cmath>
#include <gtest/gtest.h>

namespace culprit::report::html {
namespace {

Plot plot_of(std::vector<Point> points) {
  Plot plot;
  plot.title = "indegree = 1";
  plot.x = {.title = "of the run", .unit = Unit::percent, .low = 0, .high = 100};
  plot.y = {.title = "", .unit = Unit::percent, .low = 0, .high = 50};
  plot.series.push_back({"this run", std::move(points)});
  return plot;
}

std::string attribute(const std::string &markup, const std::string &name) {
  const size_t at = markup.find(name + "=\"");
  if (at == std::string::npos)
    return "absent";
  const size_t begin = at + name.size() + 2;
  return markup.substr(begin, markup.find('"', begin) - begin);
}

bool has(const Markup &markup, const std::string &what) {
  return markup.bytes().find(what) != std::string::npos;
}

TEST(Plot, EveryPointIsThereWithItsLabel) {
  const std::string made = figure(plot_of({{0, 25}, {50, 50}, {100, 0}})).bytes();
  EXPECT_EQ(attribute(made, "data-x"), "0 500 1000");
  EXPECT_EQ(attribute(made, "data-y"), "500 0 1000");
  EXPECT_EQ(attribute(made, "data-labels"), "0.0 %: 25.0 %|50.0 %: 50.0 %|100.0 %: 0.0 %");
  EXPECT_EQ(attribute(made, " d"), "M0 500L500 0L1000 1000");
}

TEST(Plot, AGapIsNoLine) {
  const std::string made = figure(plot_of({{0, 25}, {50, std::nan("")}, {100, 0}})).bytes();
  EXPECT_EQ(attribute(made, " d"), "M0 500M1000 1000h0.1");
  EXPECT_EQ(attribute(made, "data-x"), "0 1000");
}

TEST(Plot, MarksWhatIsOutsideTheBand) {
  Plot plot = plot_of({{0, 10}, {50, 12}, {100, 40}});
  plot.band = Band{"learned range", 5, 15};
  EXPECT_FALSE(has(figure(plot), "class=\"outside\""));
  plot.marks_violation = true;
  plot.mark = Mark{"left the range at 62 %", 62};
  const Markup made = figure(plot);
  EXPECT_TRUE(has(made, "class=\"outside\" d=\"M500 760L1000 200\"")) << made.bytes();
  EXPECT_TRUE(has(made, "x1=\"620\""));
  EXPECT_TRUE(has(made, "left the range at 62 %"));
  plot.band = Band{"learned range", 5, 45};
  EXPECT_FALSE(has(figure(plot), "outside")) << "no violation, no legend of one";
}

TEST(Plot, SaysWhatItShows) {
  EXPECT_TRUE(has(figure(plot_of({{0, 25}, {100, 31}})),
                  "role=\"img\" aria-label=\"indegree = 1: between 25.0 % and 31.0 %\""));
  EXPECT_TRUE(has(figure(plot_of({})), "no values"));
}

TEST(Plot, LargeSeriesAreThinnedAndTheTotalStated) {
  std::vector<Point> points;
  for (int i = 0; i <= 200000; ++i)
    points.push_back({i / 2000.0, i == 777 ? 50.0 : 25.0});
  const Markup made = figure(plot_of(std::move(points)));
  EXPECT_TRUE(has(made, "200,001 points")) << made.bytes().size();
  EXPECT_LT(made.bytes().size(), 40000U);
  EXPECT_TRUE(has(made, ": 50.0 %")) << "the one point that stands out stays";
}

TEST(Plot, DistributionsRiseInSteps) {
  Plot plot = plot_of({{1, 0.5}, {3, 1}});
  plot.steps = true;
  plot.x = {.unit = Unit::count, .low = 1, .high = 5};
  plot.y = {.unit = Unit::share, .low = 0, .high = 1};
  EXPECT_EQ(attribute(figure(plot).bytes(), " d"), "M0 1000H0V500H500V0H1000");
}

TEST(Plot, AnAxisHasRoomForAllButInventsNoNegatives) {
  Plot plot = plot_of({{0, 0.1}, {1, 0.3}});
  const Axis axis = axis_for(plot, Unit::percent, "");
  EXPECT_EQ(axis.low, 0);
  EXPECT_GE(axis.high, 2) << "hardly any change is not a storm";
  plot.band = Band{"", 13, 18};
  EXPECT_GE(axis_for(plot, Unit::percent, "").high, 18);
}

TEST(ShareBar, StaysWithinItself) {
  EXPECT_TRUE(has(share_bar(7), "width=\"100\""));
  EXPECT_TRUE(has(share_bar(std::nan("")), "0 %"));
}

} // namespace
} // namespace culprit::report::html
