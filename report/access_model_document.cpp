// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The member `access` of a model's document.
#include "report/access_document.h"
#include "report/model_document.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

Json sizes(const std::vector<access::SizeStep> &steps, const char *axis) {
  Json list = Json::array();
  for (const access::SizeStep &step : steps)
    list.push_back({{axis, step.size}, {"share", step.share}});
  return list;
}

Json similarities(const std::vector<access::SimilarityStep> &steps) {
  Json list = Json::array();
  for (const access::SimilarityStep &step : steps)
    list.push_back({{"similarity", step.similarity}, {"share", step.share}});
  return list;
}

Json distributions_document(const access::Distributions &all, const char *similarity) {
  return {{"objects", all.objects},
          {"sites", all.sites},
          {"pairs", all.pairs},
          {"runs", all.runs},
          {"accesses", all.accesses},
          {"accset_size_cdf", sizes(all.set_size, "size")},
          {similarity, similarities(all.similarity)},
          {"objects_per_site_cdf", sizes(all.inverse_size, "objects")}};
}

// The largest access sets: objects that everybody writes, of which an outlier says least.
Json largest(const access::AccessModel &model) {
  constexpr size_t kShown = 10;
  std::vector<std::pair<const access::Name *, const access::Acquaintance *>> sets;
  for (const auto &[key, name] : model.name_facts)
    if (const auto set = model.names.find(key); set != model.names.end())
      sets.emplace_back(&name, &set->second);
  std::ranges::sort(sets, [](const auto &a, const auto &b) {
    return std::tie(b.second->size, *a.first) < std::tie(a.second->size, *b.first);
  });
  Json list = Json::array();
  for (size_t i = 0; i < std::min(kShown, sets.size()); ++i)
    list.push_back({{"object", name_document(*sets[i].first)},
                    {"size", sets[i].second->size},
                    {"runs", sets[i].second->runs},
                    {"accesses", sets[i].second->accesses}});
  return list;
}

// Of the objects that are counted as such: names that were only met beside others are none.
Json kinds_of(const access::History &history, const access::AccessSettings &settings) {
  std::set<uint64_t> met;
  for (const auto &[key, run] : history.runs)
    for (const access::RunPair &pair : run.pairs)
      met.insert(pair.name);
  std::map<access::NameKind, std::set<uint64_t>> objects;
  for (const auto &[key, name] : history.names)
    if (met.contains(key))
      objects[name.kind].insert(access::key_of(name, settings.call_chain));
  Json kinds = Json::object();
  for (const auto &[kind, keys] : objects)
    kinds[std::string(object_kind(kind))] = keys.size();
  return kinds;
}

// The runs of the document are those of both analyses: this one says what it has against each.
void name_suspicious(Json &runs, const access::History &history, const access::AccessModel &model) {
  for (const access::Suspicion &suspicion : model.suspicious) {
    const access::RunPairs &run = history.runs.at(suspicion.run);
    const auto row = std::ranges::find_if(runs, [&](const Json &each) {
      return each.value("label", "") == run.arguments && each.value("build", "") == run.build_id &&
             each.value("pairs", size_t{0}) == run.pairs.size();
    });
    const auto site = model.site_facts.find(suspicion.pair.first);
    const auto name = model.name_facts.find(suspicion.pair.second);
    if (row == runs.end() || site == model.site_facts.end() || name == model.name_facts.end())
      continue;
    const uint32_t alike = model.pairs.at(suspicion.pair).runs;
    std::string why = row->value("why", "");
    why += fmt::format(
        "{}{} {} {}, as {}", why.empty() ? "" : "; ", heap::short_function(site->second.function),
        site->second.read ? "reads" : "writes", access::display(name->second),
        alike == 1 ? "in no other run" : fmt::format("in {} of {} runs", alike, model.runs));
    (*row)[suspicion.only_odd ? "odd" : "suspicious"] = true;
    (*row)["why"] = std::move(why);
  }
}

} // namespace

void add_access(Json &document, const access::History &history,
                const access::AccessSettings &settings) {
  if (history.runs.empty())
    return;
  const access::AccessModel model = access::learn(history, settings);
  Json access = distributions_document(access::distributions(history, settings), "similarity_cdf");
  access["reads"] = model.read_runs != 0;
  access["kinds"] = kinds_of(history, settings);
  // The paper's figures are of globals.
  access["globals"] = distributions_document(
      access::distributions(history, settings, access::NameKind::global), "similarity_cdf");
  access["accepted"] = model.accepted.size();
  access["largest"] = largest(model);
  if (document.contains("runs"))
    name_suspicious(document["runs"], history, model);
  document["access"] = std::move(access);
}

void add_access(Json &document, const access::AccessRun &run,
                const access::AccessSettings &settings) {
  if (!run.watched)
    return;
  const access::Distributions all = access::distributions_of_periods(run, settings);
  Json access = distributions_document(all, "similarity_cdf");
  // What is alike between periods says nothing about runs; one period is like nothing.
  Json alike = run.periods > 1 ? access["similarity_cdf"] : Json::array();
  access["periods"] = {{"count", run.periods}, {"similarity_cdf", std::move(alike)}};
  access["similarity_cdf"] = Json::array();
  access["reads"] = run.reads;
  if (run.watch)
    access["watch"] = {{"slow", run.watch->slow},
                       {"exact", run.watch->exact},
                       {"names", run.watch->names},
                       {"tags", run.watch->tags},
                       {"tags_missing", run.watch->tags_missing},
                       {"pairs", run.watch->pairs},
                       {"pairs_lost", run.watch->pairs_lost},
                       {"watched_bytes", run.watch->watched_bytes}};
  document["access"] = std::move(access);
}

} // namespace culprit::report
