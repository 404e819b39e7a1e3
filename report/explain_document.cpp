// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/explain_document.h"

#include "engine/heap/sites.h"
#include "engine/launch/repeat.h"

#include <chrono>
#include <nlohmann/json.hpp>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShownOutput = 400; // of what a program printed

Json location_document(const explain::Location &at) {
  return {{"file", at.file},
          {"line", at.line},
          {"column", at.column},
          {"function", heap::short_function(at.function)}};
}

Json divergence_document(const std::optional<explain::Divergence> &divergence) {
  if (!divergence)
    return nullptr;
  Json document = {{"location", location_document(divergence->at)},
                   {"instance", divergence->instance}};
  document["a"] = divergence->next_a ? location_document(*divergence->next_a) : Json(nullptr);
  document["b"] = divergence->next_b ? location_document(*divergence->next_b) : Json(nullptr);
  return document;
}

Json failure_document(const explain::Failure &failure) {
  const char *kind = failure.status.ending == launch::Ending::signalled   ? "crash"
                     : failure.status.ending == launch::Ending::timed_out ? "endless"
                                                                          : "output";
  Json document = {{"kind", kind}, {"status", launch::describe(failure.status)}};
  document["location"] = failure.at ? location_document(*failure.at) : Json(nullptr);
  if (document["kind"] == "output") {
    document["output"] = failure.output.substr(0, kShownOutput);
    document["expected_output"] = failure.expected_output.substr(0, kShownOutput);
  }
  return document;
}

} // namespace

void add_explanation(Json &document, const explain::Explanation &explanation,
                     const Commands &commands) {
  document["passing"] = commands.a;
  document["failing"] = commands.b;
  Json transitions = Json::array();
  for (const explain::Transition &each : explanation.transitions) {
    Json variables = Json::array();
    for (const explain::NamedValue &one : each.variables)
      variables.push_back({{"name", one.name}, {"passing", one.passing}, {"failing", one.failing}});
    transitions.push_back({{"location", location_document(each.at)},
                           {"instance", each.instance},
                           {"variables", std::move(variables)},
                           {"parts", each.parts}});
  }
  document["transitions"] = std::move(transitions);
  document["first_divergence"] = divergence_document(explanation.divergence);
  document["failure"] = failure_document(explanation.failure);
  document["tests"] = explanation.chain.tests;
  document["unresolved"] = explanation.chain.unresolved;
  document["most_differences"] = explanation.chain.most_differences;
  document["symbolic"] = {{"most_differences", explanation.by_path.differences},
                          {"most_aliases", explanation.by_path.aliases}};
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(explanation.wall);
  document["seconds"] = static_cast<double>(milliseconds.count()) / 1000;
  document["reason"] = explanation.chain.reason;
  if (explanation.chain.out_of_reach != 0)
    document["out_of_reach"] = explanation.chain.out_of_reach;
  if (explanation.chain.partial)
    document["partial"] = true;
}

void add_switch(Json &document, const explain::Switched &switched) {
  document["switched"] = {{"location", location_document(switched.at)},
                          {"instance", switched.instance},
                          {"tries", switched.tries}};
}

void add_comparison(Json &document, const explain::Compared &compared, const Commands &commands) {
  const explain::Alignment &alignment = compared.alignment;
  document["a"] = commands.a;
  document["b"] = commands.b;
  document["alignment"] = {{"control_flow", alignment.control_flow.value()},
                           {"heap_mi", alignment.heap_by_index.value()},
                           {"heap_address", alignment.heap_by_address.value()},
                           {"stack_mi", alignment.stack_by_index.value()},
                           {"stack_address", alignment.stack_by_address.value()}};
  document["accesses"] = {{"heap", alignment.heap_by_index.whole},
                          {"stack", alignment.stack_by_index.whole}};
  document["points"] = {{"aligned", alignment.points.size()},
                        {"all", alignment.control_flow.whole}};
  document["first_divergence"] = divergence_document(compared.divergence);
  document["ends"] = launch::first_difference(compared.a.outcome, compared.b.outcome);
  document["differences"] = Json::array();
}

void add_differences(Json &document, const std::string &at,
                     const std::vector<explain::NamedDifference> &differences) {
  document["at"] = at;
  Json rows = Json::array();
  for (const explain::NamedDifference &each : differences)
    rows.push_back({{"index", each.index}, {"name", each.name}, {"a", each.a}, {"b", each.b}});
  document["differences"] = std::move(rows);
}

void add_mutations(Json &document, const std::vector<explain::Mutation> &mutations) {
  Json rows = Json::array();
  for (const explain::Mutation &each : mutations)
    rows.push_back({{"location", location_document(each.at)},
                    {"differences", each.differences},
                    {"left", each.left},
                    {"control_flow", each.control_flow.value()},
                    {"heap", each.heap.value()},
                    {"points", each.control_flow.whole},
                    {"heap_accesses", each.heap.whole}});
  document["mutations"] = std::move(rows);
}

} // namespace culprit::report
