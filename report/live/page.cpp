// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/live/page.h"

#include "report/document.h"
#include "report/html/plot.h"
#include "report/html/table.h"
#include "report/live/embedded.h"
#include "report/live/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::report::live {

namespace {

using html::element;
using html::joined;
using html::Markup;

// Shown unless the reader picks others: what was learned, or the paper's metrics and the size.
bool is_picked(const State &state, const Metric &metric) {
  const bool any_learned =
      std::ranges::any_of(state.metrics, [](const Metric &each) { return each.range.has_value(); });
  return any_learned ? metric.range.has_value()
                     : metric.metric->kind == heap::MetricKind::degree ||
                           metric.metric->name == "live_objects";
}

Markup pick(const State &state, const Metric &metric) {
  const std::string name(metric.metric->name);
  html::Attributes box = {{"type", "checkbox"}, {"id", "pick-" + name}, {"value", name}};
  if (is_picked(state, metric))
    box.push_back({"checked", ""});
  return element("span", {{"class", "pick"}},
                 joined({html::single("input", box), element("label", {{"for", "pick-" + name}},
                                                             std::string(metric.metric->title))}));
}

Markup plot_of(const Metric &metric) {
  html::Plot plot;
  plot.title = metric.metric->title;
  plot.says = "no values yet";
  plot.small = true;
  plot.series.push_back({"", {}});
  plot.x = {.title = "work done"};
  plot.y = {.unit = html::unit_named(metric.metric->unit)};
  if (metric.range) {
    plot.band = html::Band{"learned range", metric.range->low, metric.range->high};
    plot.bar = html::Band{"reported beyond here", metric.bar.low, metric.bar.high};
    plot.y = html::axis_for(plot, plot.y.unit, "");
  }
  return element("div", {{"class", "metric"}, {"data-name", std::string(metric.metric->name)}},
                 joined({html::figure(plot), element("p", {{"class", "now"}}, "")}));
}

Markup facts(const State &state) {
  html::Facts facts;
  facts.add("program", state.command);
  facts.add("model", state.model.empty() ? std::string("none: nothing is judged") : state.model);
  if (!state.model.empty())
    facts.add("learned from", counted(state.learned_runs, "run"));
  return facts.markup();
}

} // namespace

std::string page_policy() {
  return fmt::format(
      "default-src 'none'; style-src 'sha256-{}' 'sha256-{}'; script-src 'sha256-{}' "
      "'sha256-{}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action "
      "'none'; frame-ancestors 'none'",
      kStyleDigest, kLiveStyleDigest, kScriptDigest, kLiveScriptDigest);
}

std::string page(const State &state) {
  const std::string title = "culprit watch: " + state.command;
  Markup picks = element("legend", "Metrics");
  Markup plots;
  for (const Metric &metric : state.metrics) {
    picks += pick(state, metric);
    plots += plot_of(metric);
  }
  const Markup controls = joined(
      {element("button",
               {{"type", "button"}, {"id", "pause"}, {"class", "whole"}, {"aria-pressed", "false"}},
               "Pause"),
       element("fieldset", picks)});
  const Markup main = joined(
      {element("p", {{"id", "status"}, {"class", "verdict"}, {"role", "status"}}, "connecting"),
       facts(state), element("dl", {{"class", "facts"}, {"id", "totals"}}, Markup()),
       element("div", {{"class", "controls"}}, controls),
       element("section", {{"id", "findings"}, {"hidden", ""}},
               joined({element("h2", "Findings so far"), element("ul", Markup())})),
       element("section", {{"id", "metrics"}, {"class", "live"}},
               joined({element("h2", "Metrics"),
                       element("p", {{"class", "totals"}, {"id", "thinned"}}, ""),
                       element("div", {{"class", "cells"}}, plots)})),
       element("section", {{"id", "stacks"}},
               joined({element("h2", "Call stacks"),
                       element("p", {{"class", "meaning"}},
                               state.model.empty()
                                   ? "Without a model no metric has a range to leave."
                                   : "Kept while a metric is near an end of its learned range or "
                                     "beyond it. None so far."),
                       element("div", {{"class", "stacks"}}, Markup())}))});
  const Markup body = joined(
      {element("header", element("h1", title)), element("main", main),
       element("footer", element("p", fmt::format("culprit {}. The page is served by culprit "
                                                  "watch on this machine and needs nothing "
                                                  "else.",
                                                  kVersion)))});
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n"
                    "<meta name=\"referrer\" content=\"no-referrer\">\n"
                    "<link rel=\"icon\" href=\"data:,\">\n";
  out += fmt::format("<title>{}</title>\n<style>{}</style>\n<style>{}</style>\n</head>\n<body>\n",
                     html::escaped(title), kStyle, kLiveStyle);
  out += body.bytes();
  out += fmt::format("\n<script>{}</script>\n<script>{}</script>\n</body>\n</html>\n", kScript,
                     kLiveScript);
  return out;
}

} // namespace culprit::report::live
