// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See judge.h.
#include "engine/access/judge.h"

#include "engine/heap/sites.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

namespace culprit::access {
namespace {

class Judge {
public:
  // Pairs met only in periods before `first_period` are not judged.
  Judge(const AccessModel &model, const AccessRun &run, const AccessSettings &settings,
        uint32_t first_period)
      : model_(model), run_(run), settings_(settings), first_period_(first_period) {
    keys_.reserve(run.names.size());
    for (const MetName &name : run.names) {
      keys_.push_back(own_key(name.name));
      places_.emplace(keys_.back(), static_cast<uint32_t>(keys_.size() - 1));
    }
  }

  Verdict judge() {
    verdict_.runs = model_.runs;
    count_known_sites();
    if (!can_judge())
      return std::move(verdict_);
    find_outliers();
    for (Outlier &outlier : outliers_)
      weigh(outlier);
    group();
    return std::move(verdict_);
  }

private:
  // The name's key in the model, unless that is another name's, there or in this run: then the next
  // that is nobody's, so that its accesses are outliers and not those of the other.
  uint64_t own_key(const Name &name) {
    const std::string identity = identity_of(name, model_.call_chain);
    for (uint64_t key = key_in(model_, name);; ++key) {
      if (const auto known = model_.name_facts.find(key);
          known != model_.name_facts.end() &&
          identity_of(known->second, model_.call_chain) != identity)
        continue;
      if (identities_.emplace(key, identity).first->second == identity)
        return key;
    }
  }

  void remark(std::string text) { verdict_.remarks.push_back(std::move(text)); }

  bool can_judge() {
    if (!run_.watched)
      return false;
    if (model_.runs == 0) {
      remark("the model has no runs in which accesses were watched");
      return false;
    }
    if (run_.reads && model_.read_runs == 0)
      remark("reads are not judged: they were not watched in training");
    if (run_.watch && run_.watch->pairs_lost != 0)
      remark(
          fmt::format("{} accesses were not recorded for want of memory", run_.watch->pairs_lost));
    if (run_.unresolved != 0)
      remark(fmt::format("{} accesses of code or objects without a description were left out",
                         run_.unresolved));
    return true;
  }

  void count_known_sites() {
    if (!run_.whole_program)
      return;
    std::set<uint64_t> ids;
    for (const auto &[unit, tables] : *run_.tables)
      for (const AccessSite &site : tables.sites)
        if (!site.read || model_.read_runs != 0)
          ids.insert(site.id);
    verdict_.sites_total = ids.size();
    for (const uint64_t id : ids)
      verdict_.sites_known += model_.program.contains(id) ? 1 : 0;
  }

  uint64_t set_key(const Met &met) const {
    return met.site->read ? reading(keys_[met.name]) : keys_[met.name];
  }

  void find_outliers() {
    std::set<PairKey> seen; // several names of the run may have one key at a lesser depth
    for (size_t i = 0; i < run_.pairs.size(); ++i) {
      const Met &met = run_.pairs[i];
      if ((met.site->read && model_.read_runs == 0) || met.periods.back() < first_period_)
        continue;
      ++verdict_.pairs;
      const PairKey pair{met.site->id, keys_[met.name]};
      if (model_.pairs.contains(pair) || !seen.insert(pair).second)
        continue;
      if (model_.accepted.contains(pair)) {
        ++verdict_.accepted;
        continue;
      }
      ++verdict_.outliers;
      if (met.direct && settings_.prune) {
        ++verdict_.pruned;
        continue;
      }
      Outlier outlier;
      outlier.pair = i;
      outlier.site = pair.first;
      outlier.name = pair.second;
      by_pair_.emplace(pair, outliers_.size());
      ++outliers_of_[pair.first];
      outliers_.push_back(outlier);
    }
  }

  bool is_normal(uint64_t site, uint64_t name) const {
    return model_.pairs.contains({site, name}) || model_.accepted.contains({site, name});
  }

  uint64_t key_at(uint32_t name) const { return name == kNoName ? 0 : keys_[name]; }

  uint32_t place_of(uint64_t key) const {
    const auto found = places_.find(key);
    return found == places_.end() ? kNoName : found->second;
  }

  uint64_t object_of(uint64_t key) const {
    const uint32_t place = place_of(key);
    return place == kNoName ? key : object_key(run_.names[place].name, model_.call_chain);
  }

  void prove(Outlier &outlier) const {
    const Met &met = run_.pairs[outlier.pair];
    const auto other_outlier = [&](uint64_t name) -> const Outlier * {
      const auto found = by_pair_.find({outlier.site, name});
      return found == by_pair_.end() ? nullptr : &outliers_[found->second];
    };
    const Surroundings around{
        run_.names[met.name].name.kind,
        outlier.site_seen,
        key_at(met.before),
        key_at(met.previous),
        [&](uint64_t name) { return is_normal(outlier.site, name); },
        [&](uint64_t name) {
          const Outlier *other = other_outlier(name);
          return other == nullptr ? 0 : key_at(run_.pairs[other->pair].before);
        },
        [&](uint64_t name) {
          return other_outlier(name) != nullptr && object_of(name) != object_of(outlier.name);
        }};
    const Proof proof = proof_of(outlier.name, around);
    outlier.evidence = proof.evidence;
    outlier.from = proof.from == 0 ? kNoName : place_of(proof.from);
  }

  void weigh(Outlier &outlier) const {
    const Met &met = run_.pairs[outlier.pair];
    Acquaintance site;
    if (const auto known = model_.sites.find(outlier.site); known != model_.sites.end())
      site = known->second;
    Acquaintance name;
    if (const auto known = model_.names.find(set_key(met)); known != model_.names.end())
      name = known->second;
    outlier.site_seen = site.size != 0;
    outlier.site_in_program =
        outlier.site_seen || !run_.whole_program || model_.program.contains(outlier.site);
    outlier.name_seen = name.size != 0;
    outlier.accesses = name.accesses;
    outlier.set_size = name.size;
    outlier.occurrences = outliers_of_.at(outlier.site) - 1;
    outlier.raw_confidence = static_cast<double>(outlier.accesses) *
                             (static_cast<double>(outlier.occurrences) + 1) /
                             (static_cast<double>(outlier.set_size) + 1);
    prove(outlier);
    if (!outlier.name_seen)
      name = never_accessed(run_.names[met.name].name.kind,
                            met.site->read ? model_.read_runs : model_.runs,
                            object_runs(model_, run_.names[met.name].name));
    outlier.surprise = settledness(site) * settledness(name) *
                       model_.weights[static_cast<size_t>(outlier.evidence)];
    const double g = std::sqrt(outlier.surprise / model_.bar);
    outlier.confidence = g / (g + 1);
  }

  // Outliers of one site, and those of one function that hit the same object.
  void group() {
    std::vector<size_t> parent(outliers_.size());
    std::iota(parent.begin(), parent.end(), size_t{0});
    const auto root = [&](size_t i) {
      while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
      return i;
    };
    std::map<uint64_t, size_t> by_site;
    std::map<std::tuple<std::string, std::string, uint64_t>, size_t> by_object;
    for (size_t i = 0; i < outliers_.size(); ++i) {
      const Met &met = run_.pairs[outliers_[i].pair];
      parent[root(i)] = root(by_site.emplace(outliers_[i].site, i).first->second);
      const uint64_t object = object_key(run_.names[met.name].name, model_.call_chain);
      parent[root(i)] =
          root(by_object.emplace(std::tuple(met.site->file, met.site->function, object), i)
                   .first->second);
    }
    std::map<size_t, Finding> groups;
    for (size_t i = 0; i < outliers_.size(); ++i)
      groups[root(i)].members.push_back(outliers_[i]); // as they happened
    for (auto &[key, finding] : groups)
      place(std::move(finding));
    rank(verdict_.findings);
    rank(verdict_.notes);
  }

  std::vector<Usual> usual(const std::vector<uint64_t> &ids, auto pair_with) const {
    std::vector<Usual> result;
    for (const uint64_t id : ids) {
      const PairFacts &facts = model_.pairs.at(pair_with(id));
      result.push_back({id, facts.count, facts.runs});
    }
    std::ranges::sort(result, [](const Usual &a, const Usual &b) {
      return std::tuple(b.count, b.runs, a.id) < std::tuple(a.count, a.runs, b.id);
    });
    return result;
  }

  void place(Finding finding) {
    std::vector<Outlier> &members = finding.members;
    for (const Outlier &member : members) {
      finding.confidence = std::max(finding.confidence, member.confidence);
      finding.raw_confidence = std::max(finding.raw_confidence, member.raw_confidence);
    }
    const bool is_finding = finding.confidence >= settings_.cut_off;
    const double enough = is_finding ? settings_.cut_off : finding.confidence;
    const auto lead = std::ranges::find_if(
        members, [&](const Outlier &member) { return member.confidence >= enough; });
    std::rotate(members.begin(), lead, lead + 1);
    const Outlier &first = members.front();
    finding.id = fmt::format("access.{}.{}", heap::id_text(first.site), heap::id_text(first.name));
    if (const auto set = model_.sets.find(set_key(run_.pairs[first.pair]));
        set != model_.sets.end())
      finding.usual_sites =
          usual(set->second, [&](uint64_t site) { return PairKey{site, first.name}; });
    if (const auto met = model_.met.find(first.site); met != model_.met.end())
      finding.usual_names =
          usual(met->second, [&](uint64_t name) { return PairKey{first.site, name}; });
    (is_finding ? verdict_.findings : verdict_.notes).push_back(std::move(finding));
  }

  // The paper's number of the member that the finding has its confidence from. Not the greatest of
  // all: what a write astray goes on to hit is a consequence, and says nothing of which of two went
  // astray first.
  static double deciding_number(const Finding &finding) {
    double number = 0;
    for (const Outlier &member : finding.members)
      if (member.confidence == finding.confidence)
        number = std::max(number, member.raw_confidence);
    return number;
  }

  // Of those that write where nobody may, the first is the cause of the others, however well
  // training knew their sites: they share their places among themselves by time.
  void order_by_time(std::vector<Finding> &findings) const {
    std::vector<size_t> places;
    for (size_t i = 0; i < findings.size(); ++i)
      if (const NameKind kind = run_.names[run_.pairs[findings[i].lead().pair].name].name.kind;
          is_nobodys(kind))
        places.push_back(i);
    std::vector<size_t> order = places;
    std::ranges::sort(order, {}, [&](size_t i) { return findings[i].lead().pair; });
    std::vector<Finding> moved;
    moved.reserve(order.size());
    for (const size_t i : order)
      moved.push_back(std::move(findings[i]));
    for (size_t i = 0; i < places.size(); ++i)
      findings[places[i]] = std::move(moved[i]);
  }

  void rank(std::vector<Finding> &findings) const {
    std::ranges::sort(findings, [](const Finding &a, const Finding &b) {
      return std::tuple(b.confidence, deciding_number(b), a.lead().pair) <
             std::tuple(a.confidence, deciding_number(a), b.lead().pair);
    });
    order_by_time(findings);
    for (size_t i = 0; i < findings.size(); ++i)
      findings[i].rank = static_cast<int>(i) + 1;
  }

  const AccessModel &model_;
  const AccessRun &run_;
  const AccessSettings &settings_;
  uint32_t first_period_;
  std::vector<uint64_t> keys_; // of AccessRun::names, at the model's depth
  std::unordered_map<uint64_t, std::string> identities_; // whose keys these are
  std::unordered_map<uint64_t, uint32_t> places_;
  std::vector<Outlier> outliers_;
  std::map<PairKey, size_t> by_pair_;
  std::map<uint64_t, size_t> outliers_of_;
  Verdict verdict_;
};

uint32_t learned_periods(const AccessRun &run, const AccessSettings &settings) {
  const auto share = static_cast<uint32_t>(settings.learn_share * static_cast<double>(run.periods));
  return std::max<uint32_t>(share, 1);
}

} // namespace

Verdict judge(const AccessModel &model, const AccessRun &run, const AccessSettings &settings) {
  return Judge(model, run, settings, 0).judge();
}

AccessModel learn_from_start(const AccessRun &run, const AccessSettings &settings) {
  const Summary whole = summarize(run);
  History history;
  history.sites = whole.sites;
  history.names = whole.names;
  add_program(history, *run.tables);
  std::map<PairKey, const Met *> met;
  for (const Met &pair : run.pairs)
    met.emplace(PairKey{pair.site->id, run.names[pair.name].key}, &pair);
  const uint32_t periods = learned_periods(run, settings);
  for (uint32_t period = 0; period < periods; ++period) {
    RunPairs part;
    part.reads = run.reads;
    for (const RunPair &pair : whole.run.pairs) {
      const Met &facts = *met.at({pair.site, pair.name});
      if (!std::ranges::binary_search(facts.periods, period))
        continue;
      part.pairs.push_back(pair);
      // Counts are of the whole run; each of its periods has an equal part of them.
      part.pairs.back().count = std::max<uint64_t>(1, pair.count / facts.periods.size());
    }
    history.runs.emplace(fmt::format("{:08}", period), std::move(part));
  }
  return learn(history, settings);
}

Verdict learn_then_judge(const AccessRun &run, const AccessSettings &settings) {
  const uint32_t learned = learned_periods(run, settings);
  if (!run.watched)
    return {};
  if (run.periods <= learned) {
    Verdict verdict;
    verdict.remarks.push_back(
        fmt::format("the run has {} period{}: too few to learn from some and judge the others",
                    run.periods, run.periods == 1 ? "" : "s"));
    return verdict;
  }
  const AccessModel model = learn_from_start(run, settings);
  return Judge(model, run, settings, learned).judge();
}

Acceptance accept(const Verdict &verdict, const AccessRun &run, std::string_view id) {
  Acceptance accepted;
  for (const std::vector<Finding> *list : {&verdict.findings, &verdict.notes})
    for (const Finding &finding : *list)
      if (finding.id == id)
        for (const Outlier &member : finding.members) {
          const Met &met = run.pairs[member.pair];
          const MetName &name = run.names[met.name];
          accepted.pairs.emplace(met.site->id, name.key);
          accepted.sites.emplace(met.site->id, *met.site);
          accepted.names.emplace(name.key, name.name);
        }
  return accepted;
}

} // namespace culprit::access
