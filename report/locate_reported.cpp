// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of `culprit locate` and `culprit triage`: first points of corruption. Both have the
// same fingerprint, the id of the group, so that a baseline of one serves the other.
#include "engine/triage/group.h"
#include "report/document.h"
#include "report/fields.h"
#include "report/folded_stacks.h"
#include "report/locate_text.h"
#include "report/reported.h"
#include "report/rules.h"

#include <filesystem>
#include <fmt/format.h>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

// What the program's tables call the statement; of a report that does not tell, what is left of it.
std::string identity_of(const Json &suspect) {
  if (std::string identity = text_of(suspect, "identity"); !identity.empty())
    return identity;
  std::vector<std::string> words = {
      std::filesystem::path(text_of(suspect, "file")).filename().string()};
  for (const char *key : {"function", "kind", "variable", "callee"})
    words.push_back(text_of(suspect, key));
  for (const Json &leaf : list_of(suspect, "computed_from"))
    if (leaf.is_string())
      words.push_back(leaf.get<std::string>());
  return fingerprint_of(words);
}

bool has_place(const Json &location) {
  return location.is_object() && !text_of(location, "file").empty();
}

void add_names(std::vector<std::string> &names, const Json &suspect) {
  for (const char *key : {"function", "file", "variable", "callee", "name"})
    if (std::string name = text_of(suspect, key); !name.empty())
      names.push_back(std::move(name));
}

// Suspects beside the first: "or" where suppressing one of them would do, else what is concerned.
void add_others(Reported::Finding &made, const Json &suspects, const TextOptions &options) {
  for (size_t i = 1; i < suspects.size(); ++i)
    if (has_place(suspects[i]))
      made.related.push_back(
          {suspects[i],
           fmt::format("{} {}", suspects[i].value("suppressed", true) ? "or:" : "beside it:",
                       suspect_words(suspects[i], options))});
}

// From the first corruption to the crash that was seen: the last execution is the first cause.
void add_chain(Reported::Finding &made, const Json &finding, const Json &run,
               const TextOptions &options) {
  const Json &chain = list_of(run, "chain");
  size_t last = chain.size();
  while (last > 0 && count_of(chain[last - 1], "execution") > count_of(finding, "execution"))
    --last;
  for (size_t i = last; i-- > 0;) {
    const uint64_t execution = count_of(chain[i], "execution");
    for (const Json &definition : list_of(chain[i], "definitions"))
      if (has_place(definition))
        made.flow.push_back({definition, suspect_words(definition, options)});
    const Json *crash = object_of(chain[i], "crash");
    const Json *location = crash == nullptr ? nullptr : object_of(*crash, "location");
    if (location != nullptr && has_place(*location))
      made.flow.push_back({*location, fmt::format("execution {}: {}", execution,
                                                  whole_crash_words(*crash, options))});
  }
}

Reported::Finding located_finding(const Json &finding, const Json &run,
                                  const TextOptions &options) {
  static const Json kNone = Json::object();
  const Json &suspects = list_of(finding, "first_corruption");
  const Json &best = suspects.empty() || !suspects[0].is_object() ? kNone : suspects[0];
  const std::string error = text_of(finding, "error");
  Reported::Finding made;
  made.rule = corruption_rule(error).id;
  made.fingerprint = triage::group_id(identity_of(best), error);
  const std::string remark = remark_words(finding, run, options);
  made.message = fmt::format("first point of memory corruption: {}{}{}", error_words(error),
                             remark.empty() ? "" : ": ", function_text(remark));
  if (!finding.value("confirmed", true))
    made.evidence.push_back(unconfirmed_words(best));
  if (has_place(best))
    made.location = best;
  add_names(made.names, best);
  add_others(made, suspects, options);
  add_chain(made, finding, run, options);
  for (const Json &step : list_of(run, "chain"))
    if (count_of(step, "execution") == count_of(finding, "execution"))
      if (const Json *crash = object_of(step, "crash"))
        for (const Json &frame : list_of(*crash, "stack"))
          if (frame.is_object())
            made.stack.push_back({frame, function_text(text_of(frame, "function"))});
  return made;
}

void read_run(Reported &all, const Json &run, const std::string &where,
              const TextOptions &options) {
  (void)run.get_ref<const Json::object_t &>(); // or throws
  Reported::Case made{.label = text_of(run, "label"),
                      .status = text_of(run, "status"),
                      .unresolved = {},
                      .findings = {}};
  if (text_of(run, "outcome") == "unresolved")
    made.unresolved = text_of(run, "reason");
  const Json &findings = list_of(run, "findings");
  for (size_t i = 0; i < findings.size(); ++i) {
    (void)findings[i].get_ref<const Json::object_t &>();
    made.findings.push_back(all.findings.size());
    all.findings.push_back(located_finding(findings[i], run, options));
    all.findings.back().label = made.label;
    all.findings.back().where =
        nlohmann::json::json_pointer(fmt::format("{}/findings/{}", where, i));
  }
  all.cases.push_back(std::move(made));
}

// The kind of error that most of a group's inputs have.
std::string main_error(const Json &group) {
  const Json &errors = list_of(group, "errors");
  return errors.empty() ? "" : text_of(errors.front(), "error");
}

Reported::Finding group_finding(const Json &group, const TextOptions &options) {
  static const Json kNone = Json::object();
  const Json &suspects = list_of(group, "first_corruption");
  const Json &best = suspects.empty() || !suspects[0].is_object() ? kNone : suspects[0];
  const std::string error = main_error(group);
  Reported::Finding made;
  made.rule = corruption_rule(error).id;
  made.fingerprint = text_of(group, "id");
  made.message = fmt::format("first point of memory corruption of {}: {}",
                             counted(list_of(group, "inputs").size(), "input"), error_words(error));
  if (const Json *example = object_of(group, "example"))
    made.evidence.push_back("for example " + text_of(*example, "input"));
  if (has_place(best))
    made.location = best;
  add_names(made.names, best);
  add_others(made, suspects, options);
  for (const Json &crash : list_of(group, "crashes"))
    if (const Json *location = object_of(crash, "location"); location && has_place(*location))
      made.related.push_back({*location, fmt::format("{} ({})", crash_words(crash, options),
                                                     counted(count_of(crash, "inputs"), "input"))});
  const Json &links = list_of(group, "common_end");
  for (size_t i = links.size(); i-- > 0;) {
    for (const Json &definition : list_of(links[i], "definitions"))
      if (has_place(definition))
        made.flow.push_back({definition, suspect_words(definition, options)});
    const Json *crash = object_of(links[i], "crash");
    const Json *location = crash == nullptr ? nullptr : object_of(*crash, "location");
    if (location != nullptr && has_place(*location))
      made.flow.push_back({*location, crash_words(*crash, options)});
  }
  if (made.flow.size() < 2) // a statement without its consequence is no chain
    made.flow.clear();
  return made;
}

} // namespace

void read_locate(Reported &all, const Json &document, const TextOptions &options) {
  const Json &runs = list_of(document, "runs");
  if (runs.empty())
    read_run(all, document, "", options);
  for (size_t i = 0; i < runs.size(); ++i)
    read_run(all, runs[i], fmt::format("/runs/{}", i), options);
}

void read_triage(Reported &all, const Json &document, const TextOptions &options) {
  const Json &groups = document.at("groups");
  for (size_t i = 0; i < groups.size(); ++i) {
    (void)groups.at(i).get_ref<const Json::object_t &>(); // or throws
    all.findings.push_back(group_finding(groups[i], options));
    all.findings.back().where = nlohmann::json::json_pointer(fmt::format("/groups/{}", i));
    for (const Json &input : list_of(groups[i], "inputs"))
      if (input.is_string())
        all.cases.push_back({.label = printable(input.get<std::string>()),
                             .status = {},
                             .unresolved = {},
                             .findings = {i}});
  }
  for (const Json &entry : list_of(document, "unresolved"))
    all.cases.push_back({.label = text_of(entry, "input"),
                         .status = text_of(entry, "status"),
                         .unresolved = text_of(entry, "reason"),
                         .findings = {}});
  for (const Json &entry : list_of(document, "no_crash"))
    all.cases.push_back({.label = text_of(entry, "input"),
                         .status = text_of(entry, "status"),
                         .unresolved = {},
                         .findings = {}});
}

} // namespace culprit::report
