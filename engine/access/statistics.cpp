// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See statistics.h.
#include "engine/access/statistics.h"

#include <algorithm>
#include <map>

namespace culprit::access {
namespace {

// The pairs of several runs (or periods), by name.
struct Gathered {
  std::map<PairKey, size_t> pair_runs;                // in how many runs
  std::map<uint64_t, std::vector<uint64_t>> sites_of; // name → sites
  std::map<uint64_t, size_t> names_of;                // site → number of names
  std::map<uint64_t, size_t> name_runs;               // in how many runs it was accessed
  size_t runs = 0;
  uint64_t accesses = 0;

  void add_run(const std::set<PairKey> &pairs) {
    ++runs;
    std::set<uint64_t> names;
    for (const PairKey &pair : pairs) {
      names.insert(pair.second);
      if (++pair_runs[pair] == 1) {
        sites_of[pair.second].push_back(pair.first);
        ++names_of[pair.first];
      }
    }
    for (const uint64_t name : names)
      ++name_runs[name];
  }
};

std::vector<SizeStep> cumulated(const std::map<size_t, size_t> &counts) {
  size_t all = 0;
  for (const auto &[size, count] : counts)
    all += count;
  std::vector<SizeStep> steps;
  size_t so_far = 0;
  for (const auto &[size, count] : counts) {
    so_far += count;
    steps.push_back({size, static_cast<double>(so_far) / static_cast<double>(all)});
  }
  return steps;
}

Distributions of(const Gathered &gathered) {
  Distributions result;
  result.objects = gathered.sites_of.size();
  result.sites = gathered.names_of.size();
  result.pairs = gathered.pair_runs.size();
  result.runs = gathered.runs;
  result.accesses = gathered.accesses;
  std::map<size_t, size_t> sizes;
  std::map<double, size_t, std::greater<>> similarities;
  size_t compared = 0;
  for (const auto &[key, sites] : gathered.sites_of) {
    ++sizes[sites.size()];
    const uint64_t name = key;
    const size_t runs = gathered.name_runs.at(name);
    if (runs < 2)
      continue;
    const auto common = std::ranges::count_if(
        sites, [&](uint64_t site) { return gathered.pair_runs.at({site, name}) == runs; });
    ++similarities[static_cast<double>(common) / static_cast<double>(sites.size())];
    ++compared;
  }
  result.set_size = cumulated(sizes);
  std::map<size_t, size_t> inverse;
  for (const auto &[site, names] : gathered.names_of)
    ++inverse[names];
  result.inverse_size = cumulated(inverse);
  size_t so_far = 0;
  for (const auto &[similarity, count] : similarities) {
    so_far += count;
    result.similarity.push_back(
        {similarity, static_cast<double>(so_far) / static_cast<double>(compared)});
  }
  return result;
}

} // namespace

Distributions distributions(const History &history, const AccessSettings &settings,
                            std::optional<NameKind> kind) {
  std::map<uint64_t, uint64_t> folded;
  for (const auto &[key, name] : history.names)
    if (!kind || name.kind == *kind)
      folded.emplace(key, key_of(name, settings.call_chain));
  Gathered gathered;
  for (const auto &[key, run] : history.runs) {
    std::set<PairKey> pairs;
    for (const RunPair &pair : run.pairs)
      if (const auto name = folded.find(pair.name); name != folded.end()) {
        pairs.emplace(pair.site, name->second);
        gathered.accesses += pair.count;
      }
    gathered.add_run(pairs);
  }
  return of(gathered);
}

Distributions distributions_of_periods(const AccessRun &run, const AccessSettings &settings,
                                       std::optional<NameKind> kind) {
  Gathered gathered;
  std::vector<std::set<PairKey>> periods(std::min<uint32_t>(run.periods, 1U << 20));
  for (const Met &met : run.pairs) {
    const Name &name = run.names[met.name].name;
    if (kind && name.kind != *kind)
      continue;
    gathered.accesses += met.count;
    for (const uint32_t period : met.periods)
      if (period < periods.size())
        periods[period].emplace(met.site->id, key_of(name, settings.call_chain));
  }
  for (const std::set<PairKey> &pairs : periods)
    gathered.add_run(pairs);
  return of(gathered);
}

double share_at(const std::vector<SizeStep> &steps, size_t size) {
  double share = 0;
  for (const SizeStep &step : steps)
    if (step.size <= size)
      share = step.share;
  return share;
}

double share_at(const std::vector<SimilarityStep> &steps, double similarity) {
  double share = 0;
  for (const SimilarityStep &step : steps)
    if (step.similarity >= similarity)
      share = step.share;
  return share;
}

} // namespace culprit::access
