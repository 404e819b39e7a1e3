// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/locate_document.h"

#include "abi/layout.h"
#include "engine/heap/own_code.h"
#include "engine/heap/sites.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;
using locate::Location;
using locate::Step;
using locate::Suspect;

Json location_document(const Location &at) {
  if (at.file.empty() && at.function.empty())
    return nullptr;
  return {{"file", at.file},
          {"line", at.line},
          {"column", at.column},
          {"function", heap::short_function(at.function)}};
}

Json stack_document(const std::vector<symbolize::Place> &stack) {
  Json frames = Json::array();
  for (const symbolize::Place &place : stack)
    frames.push_back({{"file", place.file},
                      {"line", place.line},
                      {"column", place.column},
                      {"function", place.function}});
  return frames;
}

std::string crash_kind(const culprit_record_crash &crash) {
  switch (crash.kind) {
  case CULPRIT_CRASH_SIGNAL:
    if (const char *name = ::sigabbrev_np(crash.signal))
      return fmt::format("SIG{}", name);
    return fmt::format("signal {}", crash.signal);
  case CULPRIT_CRASH_ABORT:
    return "abort";
  case CULPRIT_CRASH_BAD_FREE:
    return "bad-free";
  case CULPRIT_CRASH_DOUBLE_FREE:
    return "double-free";
  case CULPRIT_CRASH_GUARD:
    return "damaged-guard";
  case CULPRIT_CRASH_FREED_WRITE:
    return crash.block >= CULPRIT_LAYOUT_ARENA ? "left-variable-written" : "freed-block-written";
  case CULPRIT_CRASH_FREED_READ:
    return "freed-block-read";
  case CULPRIT_CRASH_SMASHED:
    return "return-address-overwritten";
  case CULPRIT_CRASH_DEADLOCK:
    return "deadlock";
  case CULPRIT_CRASH_ENDLESS:
    return "endless";
  default:
    return "stack-exhausted";
  }
}

// What is noticed later than it happened is noticed by code of ours that the program called, or
// that runs at its end: the call stack knows where, the place noted last does not.
bool is_noticed_late(const culprit_record_crash &crash) {
  return crash.kind == CULPRIT_CRASH_GUARD || crash.kind == CULPRIT_CRASH_FREED_WRITE ||
         crash.kind == CULPRIT_CRASH_FREED_READ || crash.kind == CULPRIT_CRASH_SMASHED ||
         crash.kind == CULPRIT_CRASH_EXHAUSTED || crash.kind == CULPRIT_CRASH_DEADLOCK;
}

Json place_document(const symbolize::Place &place) {
  return {{"file", place.file},
          {"line", place.line},
          {"column", place.column},
          {"function", place.function}};
}

// Null: at exit, or not known.
Json crash_location(const Step &step, const std::vector<symbolize::Place> &stack) {
  const bool late = is_noticed_late(step.crash.numbers);
  if (!late && step.place)
    return location_document(step.place->at);
  for (const symbolize::Place &place : stack)
    if (!place.file.empty())
      return place_document(place);
  return nullptr;
}

// What a container does is done for the line of the program that asked for it: that is said to be
// the place, and the header's line is told beside it.
void name_caller(Json &document, const std::vector<symbolize::Place> &stack) {
  const Json inside = document["location"];
  if (!inside.is_object() || !heap::is_library_file(inside.value("file", "")))
    return;
  for (const symbolize::Place &place : stack)
    if (!place.file.empty() && !heap::is_library_file(place.file)) {
      document["location"] = place_document(place);
      document["inside"] = inside;
      return;
    }
}

// The variable that was overrun, in an order of variables with guards beside them.
std::string overrun_variable(const Step &step) {
  const uint32_t kind = step.crash.numbers.kind;
  if (kind == CULPRIT_CRASH_GUARD || kind == CULPRIT_CRASH_FREED_WRITE)
    for (const Suspect &suspect : step.suspects)
      if ((suspect.candidate.part == locate::Part::allocation ||
           suspect.candidate.part == locate::Part::left) &&
          suspect.definition &&
          (suspect.definition->kind == locate::DefinitionKind::variable ||
           suspect.definition->kind == locate::DefinitionKind::global))
        return suspect.definition->variable;
  return {};
}

Json crash_document(const Step &step, const std::vector<symbolize::Place> &stack) {
  const culprit_record_crash &crash = step.crash.numbers;
  Json document = {{"kind", crash_kind(crash)}, {"location", crash_location(step, stack)}};
  name_caller(document, stack);
  if (crash.signal != 0)
    document["signal"] = crash.signal;
  if (crash.address != UINT64_MAX) // a pointer that is no address: the processor does not say which
    document["address"] = fmt::format("{:#x}", crash.address);
  if (step.place && !is_noticed_late(crash)) {
    document["access"] = name_of(step.place->kind);
    document["size"] = step.place->size;
    if (!step.place->callee.empty())
      document["callee"] = heap::short_function(step.place->callee);
    document["uses"] = Json::array();
    for (const locate::Leaf &leaf : step.place->leaves)
      document["uses"].push_back({{"name", leaf.name}, {"role", name_of(leaf.role)}});
  }
  if (crash.block != 0)
    document["block"] = {
        {"size", crash.block_size},
        {"offset", static_cast<int64_t>(crash.address) - static_cast<int64_t>(crash.block)}};
  if (const std::string variable = overrun_variable(step); !variable.empty())
    document["block"]["variable"] = variable;
  document["stack"] = stack_document(stack);
  return document;
}

Json suspect_document(const Suspect &suspect, const Step &step) {
  Json document = location_document(suspect.definition ? suspect.definition->at
                                    : step.place       ? step.place->at
                                                       : Location{});
  if (document.is_null())
    document = Json::object();
  if (suspect.inside)
    document["inside"] = location_document(*suspect.inside);
  document["part"] = name_of(suspect.candidate.part);
  document["suppressed"] = suspect.candidate.suppress;
  if (suspect.candidate.origin)
    document["origin"] = true;
  if (suspect.definition) {
    document["kind"] = name_of(suspect.definition->kind);
    if (!suspect.definition->variable.empty())
      document["variable"] = suspect.definition->variable;
    if (!suspect.definition->callee.empty())
      document["callee"] = heap::short_function(suspect.definition->callee);
    document["computed_from"] = suspect.definition->leaves;
  }
  if (!suspect.candidate.name.empty())
    document["name"] = suspect.candidate.name;
  if (suspect.candidate.role)
    document["role"] = name_of(*suspect.candidate.role);
  document["instance"] = suspect.count ? Json(*suspect.count) : Json(nullptr);
  if (suspect.acquitted)
    document["acquitted"] = *suspect.acquitted;
  if (suspect.of_statement)
    document["of_statement"] = true;
  return document;
}

// Where a value is used that nobody has defined is a line of the program's, too.
void name_caller_of_use(Json &document, const Step &step,
                        const std::vector<symbolize::Place> &stack) {
  if (!step.place)
    return;
  Json use = {{"location", location_document(step.place->at)}};
  name_caller(use, stack);
  if (!use.contains("inside"))
    return;
  document.update(use["location"]);
  document["inside"] = use["inside"];
}

// Those of a step of the chain.
Json suspects_document(const LocatedCase &one, size_t position) {
  const Step &step = one.located.chain[position];
  Json list = Json::array();
  for (size_t i = 0; i < step.suspects.size(); ++i) {
    list.push_back(suspect_document(step.suspects[i], step));
    if (!step.suspects[i].definition && position < one.stacks.size())
      name_caller_of_use(list.back(), step, one.stacks[position]);
    if (position < one.identities.size() && i < one.identities[position].size())
      list.back()["identity"] = one.identities[position][i];
  }
  return list;
}

Json finding_document(const locate::Finding &finding, const LocatedCase &one) {
  const Step &step = one.located.chain[finding.step];
  return {{"error", name_of(step.error)},
          {"first_corruption", suspects_document(one, finding.step)},
          {"execution", step.execution},
          {"onward", finding.onward},
          {"confirmed", finding.confirmed}};
}

} // namespace

Json located_document(const LocatedCase &one) {
  const locate::Located &located = one.located;
  Json document;
  document["label"] = one.label;
  document["args"] = one.arguments;
  document["outcome"] =
      name_of(one.difference.empty() ? located.outcome : locate::Outcome::unresolved);
  document["repeatable"] = one.difference.empty();
  document["executions"] = located.executions;
  document["quiet_execution"] = located.quiet;
  document["orders"] = one.orders;
  document["status"] = launch::describe(located.status);
  document["last_status"] = launch::describe(located.last);
  document["reason"] =
      one.difference.empty() ? located.reason : "not repeatable: " + one.difference;
  document["findings"] = Json::array();
  for (const locate::Finding &finding : located.findings)
    document["findings"].push_back(finding_document(finding, one));
  document["first_corruption"] = Json::array();
  if (!located.findings.empty())
    document["first_corruption"] = suspects_document(one, located.findings[0].step);
  document["chain"] = Json::array();
  for (size_t i = 0; i < located.chain.size(); ++i) {
    const Step &step = located.chain[i];
    const std::vector<symbolize::Place> none;
    document["chain"].push_back(
        {{"execution", step.execution},
         {"crash", crash_document(step, i < one.stacks.size() ? one.stacks[i] : none)},
         {"error", name_of(step.error)},
         {"definitions", suspects_document(one, i)},
         {"layout", step.layout.empty() ? Json(nullptr) : Json(step.layout)}});
    if (step.apart)
      document["chain"].back()["apart"] = true;
  }
  document["notes"] = located.notes;
  return document;
}

void add_located(Json &document, std::vector<Json> cases) {
  if (cases.size() == 1) {
    document.update(cases.front());
    return;
  }
  std::string outcome = "no-corruption";
  uint64_t executions = 0;
  for (const Json &one : cases) {
    executions += one.value("executions", uint64_t{0});
    const std::string its = one.value("outcome", "");
    if (its == "located" || (its == "unresolved" && outcome == "no-corruption"))
      outcome = its;
  }
  document["outcome"] = outcome;
  document["executions"] = executions;
  document["runs"] = std::move(cases);
}

} // namespace culprit::report
