// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of `culprit check`.
#include "report/access_text.h"
#include "report/document.h"
#include "report/fields.h"
#include "report/folded_stacks.h"
#include "report/reported.h"
#include "report/rules.h"

#include <filesystem>
#include <fmt/format.h>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kWriters = 50; // a set may have thousands

std::string file_name(const Json &location) {
  return std::filesystem::path(text_of(location, "file")).filename().string();
}

void add_spot(std::vector<Spot> &spots, const Json *location, std::string words) {
  if (location != nullptr && !text_of(*location, "file").empty())
    spots.push_back({*location, std::move(words)});
}

// What stays when lines move. Access sites and contexts have their line in their id, so these ids
// serve only where the same build is meant.
std::vector<std::string> words_of(const Json &finding, const Rule &rule) {
  std::vector<std::string> words = {std::string(rule.id)};
  if (const Json *location = object_of(finding, "location")) {
    words.push_back(file_name(*location));
    words.push_back(text_of(*location, "function"));
  }
  if (rule.part == "heap") {
    words.push_back(text_of(finding, "metric"));
    const Json *range = object_of(finding, "range");
    const double above = range == nullptr ? 0 : number_of(*range, "max", 0);
    words.emplace_back(number_of(finding, "value", 0) > above ? "high" : "low");
  }
  if (const Json *object = object_of(finding, "object")) {
    for (const char *key : {"kind", "name", "member", "type", "function"})
      words.push_back(text_of(*object, key));
    if (const Json *location = object_of(*object, "location")) {
      words.push_back(file_name(*location));
      words.push_back(text_of(*location, "function"));
    }
  }
  if (const Json *site = object_of(finding, "site"))
    words.push_back(text_of(*site, "callee"));
  return words;
}

void add_related(Reported::Finding &made, const Json &finding, const TextOptions &options) {
  const bool access = text_of(finding, "detector") == "access";
  if (const Json *object = object_of(finding, "object"))
    add_spot(made.related, object_of(*object, "location"),
             access ? "the object: " + access_object_text(*object, options.base)
                    : fmt::format("{} allocated here",
                                  text_of(*object, "type").empty()
                                      ? std::string("the objects were")
                                      : "objects: " + text_of(*object, "type") + ","));
  size_t writers = 0;
  for (const Json &writer : list_of(finding, "writers"))
    if (writer.is_object() && ++writers <= kWriters)
      add_spot(made.related, object_of(writer, "location"),
               fmt::format("normal {}: {} ({})", finding.value("read", false) ? "reader" : "writer",
                           function_text(text_of(writer, "function")),
                           counted(count_of(writer, "count"), "time")));
  bool first = true;
  for (const Json &suspect : list_of(finding, "suspects")) {
    if (!first && suspect.is_object())
      add_spot(made.related, object_of(suspect, "location"),
               fmt::format("suspect: {} ({})", function_text(text_of(suspect, "function")),
                           role_text(text_of(suspect, "role"))));
    first = false;
  }
}

void add_stack(Reported::Finding &made, const Json &finding) {
  const Json *stacks = object_of(finding, "stacks");
  if (stacks == nullptr)
    return;
  const Json &all = list_of(*stacks, stacks->contains("access") ? "access" : "during");
  if (all.empty() || !all[0].is_object())
    return;
  for (const Json &frame : list_of(all[0], "frames"))
    if (frame.is_object())
      made.stack.push_back({frame, function_text(text_of(frame, "function"))});
}

Reported::Finding finding_of(const Json &finding, const TextOptions &options) {
  const Rule &rule = check_rule(text_of(finding, "detector"), text_of(finding, "kind"));
  Reported::Finding made;
  made.rule = rule.id;
  made.fingerprint = fingerprint_of(words_of(finding, rule));
  made.message =
      fmt::format("{}: {}", text_of(finding, "title"), function_text(text_of(finding, "message")));
  if (const std::string remark = text_of(finding, "remark"); !remark.empty())
    made.evidence.push_back(function_text(remark));
  for (const Json &line : list_of(finding, "evidence"))
    if (line.is_string())
      made.evidence.push_back(function_text(printable(line.get<std::string>())));
  if (const Json *location = object_of(finding, "location")) {
    made.location = *location;
    made.names = {text_of(*location, "function"), text_of(*location, "file")};
  }
  if (const Json *object = object_of(finding, "object"))
    for (const char *key : {"name", "type"})
      made.names.push_back(text_of(*object, key));
  made.names.push_back(text_of(finding, "metric"));
  made.names.push_back(text_of(finding, "id"));
  made.confidence = number_of(finding, "confidence", 0);
  add_related(made, finding, options);
  add_stack(made, finding);
  return made;
}

} // namespace

void read_check(Reported &all, const Json &document, const TextOptions &options) {
  const Json &runs = document.at("runs");
  for (size_t i = 0; i < runs.size(); ++i) {
    (void)runs.at(i).get_ref<const Json::object_t &>(); // or throws
    Reported::Case run{.label = text_of(runs[i], "label"),
                       .status = text_of(runs[i], "status"),
                       .unresolved = {},
                       .findings = {}};
    for (const Json &remark : list_of(runs[i], "remarks"))
      if (remark.is_string() && remark.get<std::string>().starts_with("not judged: "))
        run.unresolved = printable(remark.get<std::string>());
    const Json &findings = list_of(runs[i], "findings");
    for (size_t j = 0; j < findings.size(); ++j) {
      (void)findings[j].get_ref<const Json::object_t &>();
      run.findings.push_back(all.findings.size());
      all.findings.push_back(finding_of(findings[j], options));
      all.findings.back().label = run.label;
      all.findings.back().where =
          nlohmann::json::json_pointer(fmt::format("/runs/{}/findings/{}", i, j));
    }
    all.cases.push_back(std::move(run));
  }
}

} // namespace culprit::report
