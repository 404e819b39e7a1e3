// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See learn.h.
#include "engine/access/learn.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace culprit::access {
namespace {

constexpr double kFew = 0.2; // share of the runs that an odd access may be in and still be odd

// A run with the keys of the model.
struct Run {
  std::vector<RunPair> pairs; // by site and name, each once
  bool reads = false;
};

class Learner {
public:
  Learner(const History &history, const AccessSettings &settings)
      : history_(history), settings_(settings) {}

  AccessModel learn() {
    model_.call_chain = settings_.call_chain;
    model_.site_facts = history_.sites;
    model_.program = history_.program;
    for (const auto &[key, name] : history_.names) {
      const uint64_t folded = key_of(name, settings_.call_chain);
      folded_.emplace(key, folded);
      auto [known, is_new] = model_.name_facts.try_emplace(folded, name);
      if (!is_new && known->second < name)
        known->second = name;
      objects_.emplace(folded, object_key(name, settings_.call_chain));
    }
    for (const auto &[key, run] : history_.runs)
      runs_.push_back(fold(run));
    for (const Run &run : runs_)
      add(run);
    for (const PairKey &pair : history_.accepted)
      model_.accepted.emplace(pair.first, folded(pair.second));
    acquaint();
    set_bar();
    suspect();
    return std::move(model_);
  }

private:
  uint64_t folded(uint64_t key) const {
    const auto found = folded_.find(key);
    return found == folded_.end() ? key : found->second;
  }

  bool reads(uint64_t site) const {
    const auto facts = model_.site_facts.find(site);
    return facts != model_.site_facts.end() && facts->second.read;
  }

  Run fold(const RunPairs &run) const {
    Run result{{}, run.reads};
    result.pairs.reserve(run.pairs.size());
    for (const RunPair &pair : run.pairs)
      result.pairs.push_back({pair.site, folded(pair.name), pair.count,
                              pair.before == 0 ? 0 : folded(pair.before),
                              pair.previous == 0 ? 0 : folded(pair.previous), pair.direct});
    std::ranges::sort(result.pairs);
    // Several contexts may now have one name.
    size_t kept = 0;
    for (const RunPair &pair : result.pairs) {
      if (kept != 0 && result.pairs[kept - 1].site == pair.site &&
          result.pairs[kept - 1].name == pair.name) {
        result.pairs[kept - 1].count += pair.count;
        result.pairs[kept - 1].direct = result.pairs[kept - 1].direct && pair.direct;
      } else {
        result.pairs[kept++] = pair;
      }
    }
    result.pairs.resize(kept);
    return result;
  }

  uint64_t object_of(uint64_t name) const {
    const auto known = objects_.find(name);
    return known == objects_.end() ? name : known->second;
  }

  uint64_t name_key(uint64_t site, uint64_t name) const {
    return reads(site) ? reading(name) : name;
  }

  // Every site and name of a run once.
  struct Sides {
    std::vector<uint64_t> sites;
    std::vector<uint64_t> names;
    std::vector<uint64_t> objects;
  };
  Sides sides_of(const Run &run) const {
    Sides sides;
    for (const RunPair &pair : run.pairs) {
      sides.sites.push_back(pair.site);
      sides.names.push_back(name_key(pair.site, pair.name));
      sides.objects.push_back(object_of(pair.name));
    }
    for (std::vector<uint64_t> *side : {&sides.sites, &sides.names, &sides.objects}) {
      std::ranges::sort(*side);
      side->erase(std::ranges::unique(*side).begin(), side->end());
    }
    return sides;
  }

  void add(const Run &run) {
    ++model_.runs;
    model_.read_runs += run.reads ? 1 : 0;
    for (const RunPair &pair : run.pairs) {
      auto [facts, is_new] =
          model_.pairs.try_emplace({pair.site, pair.name}, PairFacts{0, 0, true});
      ++facts->second.runs;
      facts->second.count += pair.count;
      facts->second.direct = facts->second.direct && pair.direct;
    }
    const Sides sides = sides_of(run);
    for (const uint64_t site : sides.sites)
      ++model_.sites[site].runs;
    for (const uint64_t name : sides.names)
      ++model_.names[name].runs;
    for (const uint64_t object : sides.objects)
      ++model_.object_runs[object];
  }

  void acquaint() {
    for (const auto &[pair, facts] : model_.pairs) {
      const uint64_t name = name_key(pair.first, pair.second);
      for (Acquaintance *side : {&model_.sites[pair.first], &model_.names[name]}) {
        ++side->size;
        side->once += facts.runs == 1 ? 1 : 0;
        side->accesses += facts.count;
      }
      model_.sets[name].push_back(pair.first);
      model_.met[pair.first].push_back(pair.second);
    }
    for (auto &[name, sites] : model_.sets)
      std::ranges::sort(sites);
    for (auto &[site, names] : model_.met)
      std::ranges::sort(names);
  }

  // A pair that only one run has, as the others would judge it.
  struct Innocent {
    PairKey pair;
    double settled; // of both sides
    Evidence evidence;
  };

  std::vector<Innocent> left_out(const Run &run) const {
    std::unordered_map<uint64_t, Acquaintance> sites;
    std::unordered_map<uint64_t, Acquaintance> names;
    const Sides sides = sides_of(run);
    for (const uint64_t site : sides.sites)
      --(sites[site] = model_.sites.at(site)).runs;
    for (const uint64_t name : sides.names)
      --(names[name] = model_.names.at(name)).runs;
    std::unordered_map<PairKey, uint64_t, PairHash> own; // outliers, with what lies before them
    for (const RunPair &pair : run.pairs) {
      const uint32_t runs = model_.pairs.at({pair.site, pair.name}).runs;
      for (Acquaintance *side : {&sites[pair.site], &names[name_key(pair.site, pair.name)]}) {
        side->size -= runs == 1 ? 1 : 0;
        side->once -= runs == 1 ? 1 : 0;
        side->once += runs == 2 ? 1 : 0;
      }
      if (runs == 1)
        own.emplace(PairKey{pair.site, pair.name}, pair.before);
    }
    std::vector<Innocent> innocent;
    for (const RunPair &pair : run.pairs)
      if (own.contains({pair.site, pair.name}) && !(pair.direct && settings_.prune))
        innocent.push_back(
            innocent_of(pair, sites[pair.site], names[name_key(pair.site, pair.name)], own));
    return innocent;
  }

  Innocent innocent_of(const RunPair &pair, const Acquaintance &site, Acquaintance name,
                       const std::unordered_map<PairKey, uint64_t, PairHash> &own) const {
    const auto facts = model_.name_facts.find(pair.name);
    const NameKind kind = facts == model_.name_facts.end() ? NameKind::heap : facts->second.kind;
    if (name.size == 0)
      name = never_accessed(kind, (reads(pair.site) ? model_.read_runs : model_.runs) - 1,
                            model_.object_runs.at(object_of(pair.name)) - 1);
    const Surroundings around{
        kind,
        site.size != 0,
        pair.before,
        pair.previous,
        [&](uint64_t other) {
          return model_.pairs.contains({pair.site, other}) && !own.contains({pair.site, other});
        },
        [&](uint64_t other) {
          const auto found = own.find({pair.site, other});
          return found == own.end() ? 0 : found->second;
        },
        [&](uint64_t other) {
          return own.contains({pair.site, other}) && object_of(other) != object_of(pair.name);
        }};
    return {{pair.site, pair.name},
            settledness(site) * settledness(name),
            proof_of(pair.name, around).evidence};
  }

  // A new feature brings many pairs at once; what counts is how often something new comes.
  size_t occasions(const std::vector<Innocent> &innocent) const {
    std::set<std::pair<std::string_view, std::string_view>> functions;
    for (const Innocent &one : innocent)
      if (const auto site = model_.site_facts.find(one.pair.first); site != model_.site_facts.end())
        functions.emplace(site->second.file, site->second.function);
    return functions.size();
  }

  void set_bar() {
    std::vector<std::vector<Innocent>> all;
    std::array<size_t, kEvidences> seen{};
    for (const Run &run : runs_) {
      all.push_back(left_out(run));
      occasions_.push_back(occasions(all.back()));
      model_.innocent += occasions_.back();
      for (const Innocent &one : all.back())
        ++seen[static_cast<size_t>(one.evidence)];
    }
    model_.weights = weights_of(settings_, seen);
    for (const std::vector<Innocent> &run : all) {
      std::pair<double, PairKey> worst{0, {0, 0}};
      for (const Innocent &one : run)
        worst = std::max(
            worst, {one.settled * model_.weights[static_cast<size_t>(one.evidence)], one.pair});
      model_.left_out.push_back(worst.first);
      model_.left_out_pair.push_back(worst.second);
    }
    std::vector<double> worst = model_.left_out;
    std::ranges::sort(worst, std::greater<>());
    model_.bar = bar_of(worst, model_.innocent);
  }

  // `worst`: of each run, the most surprising first; `innocent`: of all of them.
  double bar_of(const std::vector<double> &worst, size_t innocent) const {
    const auto allowed =
        static_cast<size_t>(settings_.left_out_share * static_cast<double>(worst.size()));
    const double rate =
        worst.empty() ? 0 : static_cast<double>(innocent) / static_cast<double>(worst.size());
    const double bar = settings_.bar * (1 + settings_.rate * rate);
    return allowed < worst.size() ? std::max(bar, settings_.margin * worst[allowed]) : bar;
  }

  void suspect() {
    suspect_odd_writes();
    suspect_outliers();
  }

  // By the bar of the others: its own would hide it.
  void suspect_outliers() {
    std::vector<double> worst = model_.left_out;
    std::ranges::sort(worst, std::greater<>());
    size_t i = 0;
    for (const auto &[key, run] : history_.runs) {
      const double own = model_.left_out[i];
      std::vector<double> others = worst;
      others.erase(std::ranges::find(others, own));
      const double bar = bar_of(others, model_.innocent - occasions_[i]);
      const PairKey &pair = model_.left_out_pair[i++];
      const double ratio = std::sqrt(own / bar); // as a finding's confidence is made (judge.cpp)
      if (own > 0 && ratio / (ratio + 1) >= settings_.cut_off && !model_.accepted.contains(pair) &&
          std::ranges::none_of(model_.suspicious,
                               [&](const Suspicion &known) { return known.run == key; }))
        model_.suspicious.push_back({key, pair, own < bar * static_cast<double>(runs_.size())});
    }
  }

  void suspect_odd_writes() {
    for (const auto &[key, run] : history_.runs)
      for (const RunPair &pair : run.pairs) {
        const PairKey here{pair.site, folded(pair.name)};
        const auto name = model_.name_facts.find(here.second);
        if (name == model_.name_facts.end() || !is_nobodys(name->second.kind))
          continue;
        if (const uint32_t runs = model_.pairs.at(here).runs;
            static_cast<double>(runs) <= kFew * static_cast<double>(model_.runs) || runs == 1)
          model_.suspicious.push_back({key, here});
      }
  }

  const History &history_;
  const AccessSettings &settings_;
  AccessModel model_;
  std::unordered_map<uint64_t, uint64_t> folded_;
  std::unordered_map<uint64_t, uint64_t> objects_; // of folded names
  std::vector<Run> runs_;
  std::vector<size_t> occasions_; // beside runs_: of its own outliers
};

} // namespace

AccessModel learn(const History &history, const AccessSettings &settings) {
  return Learner(history, settings).learn();
}

size_t object_runs(const AccessModel &model, const Name &name) {
  const auto known = model.object_runs.find(object_key(name, model.call_chain));
  return known == model.object_runs.end() ? 0 : known->second;
}

uint64_t key_in(const AccessModel &model, const Name &name) {
  return key_of(name, model.call_chain);
}

} // namespace culprit::access
