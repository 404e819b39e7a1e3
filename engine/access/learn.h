// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Training runs → access sets, how settled they are, and how surprising an outlier must be to be a
// finding. docs/access-judging.md has the reasons.
//
// For every site and every name: in how many runs it occurred, with how many partners, and how many
// of those were met in one run only (Good and Turing: the expected number of new partners in the
// next run is that number divided by the runs). The bar is found by leaving out each training run
// in turn and judging its pairs by the others: pairs met in one run only are exactly the outliers
// this run would have had. Pure: depends on the set of runs, not on their order.
// Rules: writes and reads are two sets of a name; a run that did not watch reads says nothing about
// them. Pruned (direct) accesses are in the sets and never outliers.
#pragma once

#include "engine/access/history.h"
#include "engine/access/settings.h"
#include "engine/access/surprise.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace culprit::access {

struct PairFacts {
  uint32_t runs = 0;
  uint64_t count = 0;
  bool direct = false; // in every run
};

struct PairHash {
  size_t operator()(const PairKey &pair) const {
    return static_cast<size_t>((pair.first ^ (pair.second >> 1)) * 0x9e3779b97f4a7c15u);
  }
};

// A training run that may hold the very error the model is to find. It is learned from all the
// same.
//   suspicious: it wrote a return address or memory of no object, while few others did; or its
//   worst outlier has as many times the surprise of a finding, by a model of the others, as there
//   are runs: among n good ones, one is always the strangest.
//   odd: its worst outlier would be a finding by a model of the others.
struct Suspicion {
  std::string run; // key in History::runs
  PairKey pair;    // with the key of the name at the model's depth
  bool only_odd = false;
};

struct AccessModel {
  size_t runs = 0;      // that watched writes
  size_t read_runs = 0; // that watched reads, too
  size_t call_chain = kMaxChain;
  // Names are keyed at this depth of the call chain; the readers of a name are kept under
  // reading(key).
  std::unordered_map<PairKey, PairFacts, PairHash> pairs;
  std::unordered_map<uint64_t, Acquaintance> sites;
  std::unordered_map<uint64_t, Acquaintance> names;
  std::unordered_map<uint64_t, uint32_t> object_runs;       // object → runs that accessed any of it
  std::unordered_map<uint64_t, std::vector<uint64_t>> sets; // name → its sites, by id
  std::unordered_map<uint64_t, std::vector<uint64_t>> met;  // site → its names, by key
  std::map<uint64_t, AccessSite> site_facts;
  std::map<uint64_t, Name> name_facts; // by key at this depth
  std::set<PairKey> accepted;          // at this depth
  std::set<uint64_t> program;          // all access sites of the builds trained on
  std::vector<PairKey> left_out_pair;  // and that outlier; {0, 0}: none
  std::vector<double> left_out; // of each training run, the surprise of its worst own outlier
  std::vector<Suspicion> suspicious;
  size_t innocent = 0; // outliers of all left-out runs, those of one function and run as one
  Weights weights{};   // of evidence, as these had it
  double bar = 0;      // surprise for a confidence of 0.5
};

// The sites that read a name are another set than those that write it.
inline uint64_t reading(uint64_t name) { return ~name; }

AccessModel learn(const History &history, const AccessSettings &settings);

// The pair's name as this model keys it.
uint64_t key_in(const AccessModel &model, const Name &name);
// In how many runs the object of this name (or one like it) was accessed.
size_t object_runs(const AccessModel &model, const Name &name);

} // namespace culprit::access
