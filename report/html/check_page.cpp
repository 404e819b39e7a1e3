// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `culprit check` found. Of very many findings, the first are shown in full, more as a line
// each, and all are counted: a page that nobody can open shows nothing.
#include "report/check_text.h"
#include "report/clb_text.h"
#include "report/document.h"
#include "report/fields.h"
#include "report/folded_stacks.h"
#include "report/html/finding.h"
#include "report/html/page.h"
#include "report/html/table.h"
#include "report/settle.h"

#include <fmt/format.h>

namespace culprit::report::html {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kInFull = 200;
constexpr size_t kAsLines = 1000;
constexpr size_t kNotes = 200; // of the page
constexpr size_t kRuns = 500;

std::string run_title(const Json &run) {
  const std::string label = text_of(run, "label");
  return label.empty() ? "the run" : label;
}

uint64_t pairs_of(const Json &run) {
  const Json *access = object_of(run, "access");
  return access == nullptr ? 0 : count_of(*access, "pairs");
}

Markup list(const char *key, const Json &object) {
  Markup items;
  for (const Json &remark : list_of(object, key))
    if (remark.is_string())
      items += element("li", remark.get<std::string>());
  return items.empty() ? Markup() : element("ul", {{"class", "remarks"}}, items);
}

class Page {
public:
  Page(const Json &document, const PageOptions &options) : document_(document), options_(options) {
    for (const Json &run : document.at("runs")) {
      findings_ += list_of(run, "findings").size();
      guilty_runs_ += list_of(run, "findings").empty() ? 0 : 1;
    }
  }

  Markup markup() {
    Markup runs;
    size_t number = 0;
    for (const Json &run : document_.at("runs"))
      runs += run_section(run, ++number);
    Markup all = summary();
    all += list("remarks", document_);
    if (const std::string settled = settled_text(document_); !settled.empty())
      all += element("pre", {{"class", "remarks"}, {"tabindex", "0"}}, lines(settled));
    all += contents();
    all += runs;
    all += lines_.markup();
    all += plain_.empty()
               ? Markup()
               : section(options_.outline, "others", "Runs without findings", plain_.markup());
    if (const Json *clb = object_of(document_, "clb"))
      all += section(options_.outline, "clb", "Check look-aside buffer",
                     element("pre", {{"tabindex", "0"}}, lines(clb_text(*clb))));
    return all;
  }

private:
  Markup summary() const {
    const size_t runs = document_.at("runs").size();
    const bool is_judged = !document_.contains("judged") || !list_of(document_, "judged").empty();
    const std::string verdict = !is_judged ? "The run was not judged."
                                : findings_ == 0
                                    ? "Nothing departs from what was learned."
                                    : fmt::format("{} in {} of {}.", counted(findings_, "finding"),
                                                  grouped(guilty_runs_), counted(runs, "run"));
    Facts facts;
    facts.add("program", text_of(document_, "program"));
    facts.add("model", file_text(text_of(document_, "model"), options_.base));
    facts.add("learned from", text_of(document_, "learned_from") == "start"
                                  ? std::string("the start of each run")
                                  : counted(count_of(document_, "learned_runs"), "run"));
    std::string judged;
    for (const Json &part : list_of(document_, "judged"))
      if (part.is_string())
        judged += (judged.empty() ? "" : ", ") + part.get<std::string>();
    facts.add("judged", judged);
    return joined(
        {element("p", {{"class", findings_ == 0 ? "verdict good" : "verdict bad"}}, verdict),
         facts.markup()});
  }

  Markup contents() const {
    if (contents_.empty())
      return {};
    const std::string id = options_.outline.id("contents-heading");
    Markup inside =
        joined({section_heading(options_.outline, id, "Findings"), element("ol", contents_)});
    if (findings_ > kInFull)
      inside +=
          element("p", {{"class", "totals"}},
                  fmt::format("The first {} of {} are shown in full; the next as a line each, "
                              "up to {}. The JSON report has all.",
                              grouped(kInFull), counted(findings_, "finding"), grouped(kAsLines)));
    return element("nav", {{"aria-labelledby", id}}, inside);
  }

  Markup run_section(const Json &run, size_t number) {
    const Json &findings = list_of(run, "findings");
    const Json &notes = list_of(run, "notes");
    const bool whole = document_.at("runs").size() == 1;
    if (findings.empty() && !whole) {
      plain_.add({text(run_title(run)), text(text_of(run, "status")),
                  text(grouped(count_of(run, "points"))), text(grouped(pairs_of(run))),
                  text(grouped(notes.size())), list("remarks", run)});
      return {};
    }
    Markup inside = element("p", {{"class", "status"}},
                            fmt::format("{}; {}, {}", text_of(run, "status"),
                                        counted(count_of(run, "points"), "metric point"),
                                        counted(pairs_of(run), "access pair")));
    inside += list("remarks", run);
    bool any = false;
    for (size_t i = 0; i < findings.size(); ++i)
      any |= add_finding(inside, findings[i], run,
                         options_.outline.id(fmt::format("finding-{}-{}", number, i + 1)));
    inside += notes_of(notes, number);
    if (!any && !findings.empty()) // all of them are lines elsewhere
      return {};
    return section(options_.outline, fmt::format("run-{}", number), "Run: " + run_title(run),
                   inside);
  }

  // True: shown in full.
  bool add_finding(Markup &inside, const Json &finding, const Json &run, const std::string &id) {
    const std::string message = function_text(text_of(finding, "message"));
    if (shown_ >= kInFull) {
      if (!lines_.takes_more()) {
        lines_.count_only();
        return false;
      }
      const Json *location = object_of(finding, "location");
      lines_.add({text(message), location == nullptr ? Markup() : place(*location, options_),
                  text(fmt::format("{:.2f}", number_of(finding, "confidence", 0))),
                  text(run_title(run))});
      return false;
    }
    ++shown_;
    contents_ += element("li", element("a", {{"href", "#" + id}}, message));
    inside += finding_article(finding, id, options_);
    return true;
  }

  Markup notes_of(const Json &notes, size_t number) {
    Markup articles;
    size_t shown = 0;
    for (; shown < notes.size() && notes_ < kNotes; ++shown, ++notes_)
      articles += finding_article(notes[shown],
                                  options_.outline.id(fmt::format("note-{}-{}", number, shown + 1)),
                                  options_);
    if (shown < notes.size())
      articles +=
          element("p", {{"class", "totals"}},
                  fmt::format("{} more; the JSON report has all.", grouped(notes.size() - shown)));
    return folded(fmt::format("{} below the reporting bar", counted(notes.size(), "note")),
                  articles);
  }

  const Json &document_;
  const PageOptions &options_;
  size_t findings_ = 0;
  size_t guilty_runs_ = 0;
  size_t shown_ = 0;
  size_t notes_ = 0;
  Markup contents_;
  Table lines_ = Table("Further findings", "finding",
                       {{"finding"}, {"place"}, {"confidence", true}, {"run"}}, kAsLines);
  Table plain_ = Table("Runs in which nothing was found above the reporting bar", "run",
                       {{"run"},
                        {"ended with"},
                        {"metric points", true},
                        {"access pairs", true},
                        {"notes", true},
                        {"remarks"}},
                       kRuns);
};

} // namespace

Markup check_page(const Json &document, const PageOptions &options) {
  return Page(document, options).markup();
}

} // namespace culprit::report::html
