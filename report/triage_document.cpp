// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/triage_document.h"

#include "report/fields.h"

#include <algorithm>
#include <map>
#include <set>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;
using triage::Group;

// The step of the chain that the first corruption was found by.
size_t last_step(const Json &document) {
  const Json &findings = list_of(document, "findings");
  const uint64_t execution = findings.empty() ? 0 : count_of(findings.front(), "execution");
  size_t last = 0;
  for (const Json &step : list_of(document, "chain")) {
    if (count_of(step, "execution") > execution)
      break;
    ++last;
  }
  return last == 0 ? 0 : last - 1;
}

// Without what differs from input to input.
Json common_crash(const Json &step) {
  const Json *crash = object_of(step, "crash");
  if (crash == nullptr)
    return nullptr;
  Json document = {{"kind", crash->value("kind", Json())},
                   {"location", crash->value("location", Json())}};
  return document;
}

Json common_definitions(const Json &definitions) {
  Json list = Json::array();
  for (Json definition : definitions)
    if (definition.is_object()) {
      definition.erase("instance");
      list.push_back(std::move(definition));
    }
  return list;
}

struct Counted {
  size_t inputs = 0;
  std::string example = {};
};

// Most frequent first.
Json counted_list(const std::map<std::string, std::pair<Json, Counted>> &entries) {
  std::vector<std::pair<std::string, const std::pair<Json, Counted> *>> sorted;
  sorted.reserve(entries.size());
  for (const auto &[key, entry] : entries)
    sorted.emplace_back(key, &entry);
  std::ranges::sort(sorted, [](const auto &a, const auto &b) {
    const size_t more = a.second->second.inputs;
    const size_t less = b.second->second.inputs;
    return more != less ? more > less : a.first < b.first;
  });
  Json list = Json::array();
  for (const auto &[key, entry] : sorted) {
    Json one = entry->first;
    one["inputs"] = entry->second.inputs;
    one["example"] = entry->second.example;
    list.push_back(std::move(one));
  }
  return list;
}

class Writer {
public:
  explicit Writer(const Triage &triage) : triage_(triage) {
    labels_.resize(triage.documents.size());
    for (size_t i = 0; i < triage.inputs.size(); ++i)
      if (triage.of_input[i])
        labels_[*triage.of_input[i]].push_back(triage.inputs[i].run.label);
  }

  Json group(const Group &group) const {
    const Json &example = triage_.documents[group.members.front()];
    Json document = {{"id", group.id}};
    document["errors"] = errors(group);
    document["first_corruption"] = common_definitions(list_of(example, "first_corruption"));
    document["inputs"] = Json::array();
    for (const size_t member : group.members)
      for (const std::string &label : labels_[member])
        document["inputs"].push_back(label);
    document["crashes"] = crashes(group, [](const Json &) { return size_t{0}; });
    document["last_crashes"] = crashes(group, last_step);
    document["common_end"] = common_end(group, example);
    document["frame_groups"] = group.frame_groups;
    document["example"] = {{"input", labels_[group.members.front()].front()},
                           {"args", example.value("args", Json::array())}};
    return document;
  }

  Json unresolved(TriageCounts &counts) const {
    Json list = Json::array();
    each_other([&](size_t i, const triage::Record &record) {
      if (record.outcome != "unresolved")
        return;
      const triage::Input &input = triage_.inputs[i];
      list.push_back({{"input", input.run.label},
                      {"reason", record.reason},
                      {"status", record.status},
                      {"digest", input.digest}});
      ++counts.unresolved;
    });
    return list;
  }

  Json without_crash() const {
    Json list = Json::array();
    each_other([&](size_t i, const triage::Record &record) {
      if (record.outcome != "no-corruption")
        return;
      const triage::Input &input = triage_.inputs[i];
      list.push_back({{"input", input.run.label}, {"status", record.status}});
      if (!input.name.claim.empty())
        list.back()["claimed"] = {{"by", name_of(input.name.fuzzer)},
                                  {"what", input.name.claim},
                                  {"crash", input.name.crash}};
    });
    return list;
  }

  Json executions() const {
    uint64_t count = 0;
    for (const Json &document : triage_.documents)
      count += count_of(document, "executions");
    return count;
  }

private:
  template <typename Use> void each_other(const Use &use) const {
    for (size_t i = 0; i < triage_.inputs.size(); ++i)
      if (triage_.of_input[i])
        use(i, triage_.records[*triage_.of_input[i]]);
  }

  Json errors(const Group &group) const {
    std::map<std::string, std::pair<Json, Counted>> entries;
    for (const size_t member : group.members) {
      const std::string &error = triage_.records[member].error;
      auto &[entry, counted] = entries[error];
      entry = {{"error", error}};
      if (counted.inputs == 0)
        counted.example = labels_[member].front();
      counted.inputs += labels_[member].size();
    }
    return counted_list(entries);
  }

  // Of the step that `step` chooses: its kinds and places.
  template <typename Step> Json crashes(const Group &group, const Step &step) const {
    std::map<std::string, std::pair<Json, Counted>> entries;
    for (const size_t member : group.members) {
      const Json &document = triage_.documents[member];
      const Json &chosen = list_of(document, "chain")[step(document)];
      Json crash = common_crash(chosen);
      auto &[entry, counted] = entries[crash.dump(-1, ' ', false, Json::error_handler_t::replace)];
      if (counted.inputs == 0) {
        const Json &definitions = list_of(chosen, "definitions");
        entry = std::move(crash);
        if (!definitions.empty() && definitions.front().contains("name"))
          entry["value"] = definitions.front()["name"];
        counted.example = labels_[member].front();
      }
      counted.inputs += labels_[member].size();
    }
    return counted_list(entries);
  }

  // What all chains of the group have at their end, in the order of the chain. The crash of its
  // first entry is null where different crashes are blamed on the same.
  static Json common_end(const Group &group, const Json &example) {
    Json list = Json::array();
    const Json &chain = list_of(example, "chain");
    const size_t end = last_step(example) + 1;
    if (group.same_causes_before && group.common < end)
      list.push_back({{"crash", nullptr},
                      {"definitions",
                       common_definitions(list_of(chain[end - 1 - group.common], "definitions"))}});
    for (size_t i = end - std::min(end, group.common); i < end; ++i)
      list.push_back({{"crash", common_crash(chain[i])},
                      {"definitions", common_definitions(list_of(chain[i], "definitions"))}});
    return list;
  }

  const Triage &triage_;
  std::vector<std::vector<std::string>> labels_; // of each document
};

std::string outcome_of(const TriageCounts &counts) {
  if (counts.groups != 0)
    return "located";
  return counts.unresolved != 0 ? "unresolved" : "no-corruption";
}

} // namespace

TriageCounts add_triage(Json &document, const Triage &triage) {
  TriageCounts counts;
  const Writer writer(triage);
  Json groups = Json::array();
  size_t located = 0;
  for (const Group &group : triage::group(triage.records)) {
    groups.push_back(writer.group(group));
    located += groups.back()["inputs"].size();
    ++counts.groups;
  }
  Json unresolved = writer.unresolved(counts);
  Json without_crash = writer.without_crash();
  std::set<std::string> digests;
  for (const triage::Input &input : triage.inputs)
    digests.insert(input.digest);
  counts.remaining = static_cast<size_t>(std::ranges::count_if(
      triage.of_input, [](const auto &position) { return !position.has_value(); }));
  document["outcome"] = outcome_of(counts);
  document["partial"] = counts.remaining != 0;
  document["counts"] = {
      {"inputs", triage.inputs.size()},    {"located", located},
      {"unresolved", counts.unresolved},   {"no_crash", without_crash.size()},
      {"remaining", counts.remaining},     {"copies", triage.inputs.size() - digests.size()},
      {"reused", triage.reused},           {"new_groups", counts.groups},
      {"executions", writer.executions()}, {"frame_groups", triage::frame_groups(triage.records)}};
  document["groups"] = std::move(groups);
  document["unresolved"] = std::move(unresolved);
  document["no_crash"] = std::move(without_crash);
  return counts;
}

} // namespace culprit::report
