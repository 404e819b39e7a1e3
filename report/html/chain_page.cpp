// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `culprit locate`, `triage` and `explain` found: each finding with its chain as a walk
// through the source. Of very many findings the first are shown in full, and all are counted.
#include "report/document.h"
#include "report/fields.h"
#include "report/folded_stacks.h"
#include "report/html/page.h"
#include "report/html/table.h"
#include "report/html/walk.h"
#include "report/reported.h"
#include "report/rules.h"
#include "report/settle.h"

#include <fmt/format.h>

namespace culprit::report::html {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kInFull = 200;
constexpr size_t kAsLines = 1000;
constexpr size_t kRows = 500;

std::string label_of(const std::string &label) { return label.empty() ? "the run" : label; }

class Page {
public:
  Page(const Json &document, const PageOptions &options)
      : document_(document), options_(options),
        report_(reported(
            document,
            {.style = {}, .source = options.source, .base = options.base, .verbose = false})) {}

  Markup markup() {
    Markup articles;
    for (size_t i = 0; i < report_.findings.size(); ++i)
      articles += finding(i);
    Markup all = summary();
    all += contents();
    if (!articles.empty())
      all += section(options_.outline, "findings",
                     report_.command == "explain" ? "The chain" : "First corruptions", articles);
    all += lines_.markup();
    all += cases();
    return all;
  }

private:
  std::string verdict() const {
    const size_t findings = report_.findings.size();
    size_t unresolved = 0;
    for (const Reported::Case &one : report_.cases)
      unresolved += one.unresolved.empty() ? 0 : 1;
    if (report_.command == "explain")
      return findings == 0 ? "No cause was found."
                           : fmt::format("The failure is explained by a chain of {}.",
                                         counted(list_of(document_, "transitions").size(), "step"));
    std::string text =
        findings == 0 ? "No corruption was located"
                      : fmt::format("{} of {}", counted(findings, "first point") + " of corruption",
                                    counted(report_.cases.size(),
                                            report_.command == "triage" ? "input" : "run"));
    if (unresolved != 0)
      text += fmt::format("; {} could not be resolved", counted(unresolved, "run"));
    return text + ".";
  }

  Markup summary() const {
    const bool good = report_.findings.empty();
    Facts facts;
    facts.add("program", report_.program);
    for (const auto &[key, title] : {std::pair("failing", "fails"), std::pair("passing", "passes"),
                                     std::pair("status", "ended with")})
      facts.add(title, text_of(document_, key));
    facts.add(report_.command == "explain" ? "the chain begins there because" : "not located",
              text_of(document_, "reason"));
    for (const auto &[key, title] :
         {std::pair("executions", "executions"), std::pair("tests", "tests")})
      if (const uint64_t count = count_of(document_, key); count != 0)
        facts.add(title, grouped(count));
    if (const Json *counts = object_of(document_, "counts"))
      if (const uint64_t frames = count_of(*counts, "frame_groups"); frames != 0)
        facts.add("groups by the top three frames", grouped(frames));
    Markup all = joined(
        {element("p",
                 {{"class", good && report_.command != "explain" ? "verdict good" : "verdict bad"}},
                 verdict()),
         facts.markup()});
    if (const std::string settled = settled_text(document_); !settled.empty())
      all += element("pre", {{"class", "remarks"}, {"tabindex", "0"}}, lines(settled));
    return all;
  }

  Markup contents() const {
    if (report_.findings.size() < 2)
      return {};
    const std::string id = options_.outline.id("contents-heading");
    return element(
        "nav", {{"aria-labelledby", id}},
        joined({section_heading(options_.outline, id, "Findings"), element("ol", contents_)}));
  }

  std::string id_of(size_t position) const {
    return options_.outline.id(fmt::format("finding-{}", position + 1));
  }

  Ends ends() const {
    if (report_.command == "explain")
      return {.first = "the cause",
              .last = document_.at("failure").value("location", Json()).is_object()
                          ? "the failure"
                          : "the last step"};
    return {.first = "first corruption", .last = "where it crashed"};
  }

  Markup heading(const Reported::Finding &finding, const std::string &id) const {
    const Rule *rule = find_rule(finding.rule);
    Markup inside = element("span", {{"class", "badge corruption"}},
                            rule == nullptr ? finding.rule : std::string(rule->id));
    if (!finding.counts())
      inside += joined({text(" "), element("span", {{"class", "badge"}},
                                           finding.known ? "known" : "suppressed")});
    inside += text(" " + finding.message);
    return finding_heading(options_.outline, id + "-heading", inside);
  }

  // The places beside the chain: who else may be meant, where else it crashed.
  Markup related(const Reported::Finding &finding) const {
    Table table("Other places concerned", "place", {{"place"}, {"function"}, {"what"}}, kRows);
    for (const Spot &spot : finding.related)
      table.add({place(spot.location, options_), function(text_of(spot.location, "function")),
                 text(spot.words)});
    return table.markup();
  }

  Markup stack(const Reported::Finding &finding) const {
    Json frames = Json::array();
    for (const Spot &spot : finding.stack)
      frames.push_back(spot.location);
    return folded("call stack of the crash", call_stack(frames, options_));
  }

  Markup finding(size_t position) {
    const Reported::Finding &one = report_.findings[position];
    const std::string id = id_of(position);
    if (position >= kInFull) {
      if (!lines_.takes_more())
        lines_.count_only();
      else
        lines_.add({text(one.message),
                    one.location.is_null() ? Markup() : place(one.location, options_),
                    text(label_of(one.label))});
      return {};
    }
    contents_ += element("li", element("a", {{"href", "#" + id}}, one.message));
    Markup inside = heading(one, id);
    if (!one.label.empty() && report_.cases.size() > 1)
      inside += element("p", {{"class", "status"}}, "run: " + one.label);
    Markup evidence;
    for (const std::string &line : one.evidence)
      evidence += element("li", line);
    if (!evidence.empty())
      inside += element("ul", {{"class", "evidence"}}, evidence);
    std::vector<Spot> steps = one.flow;
    if (steps.empty() && !one.location.is_null())
      steps.push_back({one.location, one.message});
    inside += walk(steps, ends(), options_);
    inside += related(one);
    inside += stack(one);
    Facts facts;
    facts.add("fingerprint", element("code", one.fingerprint));
    inside += facts.markup();
    return element("article", {{"id", id}, {"aria-labelledby", id + "-heading"}}, inside);
  }

  // What became of each run.
  Markup cases() const {
    if (report_.command == "explain" || (report_.cases.size() < 2 && !report_.findings.empty()))
      return {};
    Table table(
        report_.command == "triage" ? "Inputs" : "Runs", "run",
        {{report_.command == "triage" ? "input" : "run"}, {"what was found"}, {"ended with"}},
        kRows);
    for (const Reported::Case &one : report_.cases) {
      if (!table.takes_more()) {
        table.count_only();
        continue;
      }
      Markup found;
      for (const size_t position : one.findings) {
        const std::string words = report_.findings[position].fingerprint;
        found += joined({position < kInFull ? element("a", {{"href", "#" + id_of(position)}}, words)
                                            : text(words),
                         text(" ")});
      }
      if (!one.unresolved.empty())
        found = text(one.unresolved);
      table.add(
          {text(label_of(one.label)), found.empty() ? text("nothing") : found, text(one.status)});
    }
    return section(options_.outline, "runs",
                   report_.command == "triage" ? "All inputs" : "All runs", table.markup());
  }

  const Json &document_;
  const PageOptions &options_;
  Reported report_;
  Markup contents_;
  Table lines_ = Table("Further findings", "finding", {{"finding"}, {"place"}, {"run"}}, kAsLines);
};

} // namespace

Markup chain_page(const Json &document, const PageOptions &options) {
  return Page(document, options).markup();
}

} // namespace culprit::report::html
