// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The finding of `culprit explain`: a failure, and the chain of values that leads to it.
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

std::string variables_words(const Json &transition) {
  std::string text;
  for (const Json &one : list_of(transition, "variables"))
    text += fmt::format("{}{} is {} instead of {}", text.empty() ? "" : ", ", text_of(one, "name"),
                        text_of(one, "failing"), text_of(one, "passing"));
  return text;
}

// `prints "3" instead of "2"`: the first lines.
std::string failure_words(const Json &failure) {
  const auto quoted = [](const std::string &output) {
    return output.empty() ? std::string("nothing")
                          : "\"" + printable(output.substr(0, output.find('\n'))) + "\"";
  };
  if (text_of(failure, "kind") == "endless")
    return "it does not end";
  std::string status = text_of(failure, "status");
  if (text_of(failure, "kind") != "output")
    return status;
  return fmt::format("{}, it prints {} instead of {}", status, quoted(failure.value("output", "")),
                     quoted(failure.value("expected_output", "")));
}

} // namespace

void read_explain(Reported &all, const Json &document, const TextOptions &) {
  const Json &transitions = document.at("transitions");
  const Json &failure = document.at("failure");
  const std::string status = failure_words(failure);
  Reported::Case run{
      .label = text_of(document, "failing"), .status = status, .unresolved = {}, .findings = {}};
  if (transitions.empty()) {
    run.unresolved = "no cause was found: " + text_of(document, "reason");
    all.cases.push_back(std::move(run));
    return;
  }
  Reported::Finding made;
  made.rule = cause_rule().id;
  std::vector<std::string> words = {made.rule, text_of(failure, "kind")};
  for (const Json &each : transitions) {
    const Json &location = each.at("location");
    const uint64_t instance = count_of(each, "instance");
    made.flow.push_back(
        {location,
         fmt::format("{}{}{}", variables_words(each),
                     instance > 1 ? fmt::format(" (execution {})", grouped(instance)) : "",
                     each.value("parts", false) ? "; the runs part here" : "")});
    words.push_back(std::filesystem::path(text_of(location, "file")).filename().string());
    words.push_back(text_of(location, "function"));
    for (const Json &one : list_of(each, "variables"))
      words.push_back(text_of(one, "name"));
  }
  if (const Json *location = object_of(failure, "location"))
    made.flow.push_back({*location, "the run fails: " + status});
  made.fingerprint = fingerprint_of(words);
  made.location = transitions.front().at("location");
  made.message = fmt::format("the run fails ({}) because here {}", status,
                             variables_words(transitions.front()));
  made.evidence = {fmt::format("{} fails and {} passes; {}", text_of(document, "failing"),
                               text_of(document, "passing"),
                               counted(count_of(document, "tests"), "test"))};
  made.names = {text_of(made.location, "function"), text_of(made.location, "file")};
  made.label = run.label;
  run.findings = {0};
  all.findings.push_back(std::move(made));
  all.cases.push_back(std::move(run));
}

} // namespace culprit::report
