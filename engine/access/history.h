// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the model keeps of accesses: the pairs of every training run, what sites and names are
// called, the pairs a user accepted, and which sites the program had.
//
// Only facts: sets, counts and thresholds are computed from them by learn.h. Every part is a map or
// a set whose union is the merge, so merging is associative, commutative and idempotent. A run that
// did not watch accesses is simply not among `runs`.
#pragma once

#include "engine/access/names.h"
#include "engine/access/run.h"

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace culprit::access {

using PairKey = std::pair<uint64_t, uint64_t>; // static id of the site, key of the name

struct RunPair {
  uint64_t site = 0;
  uint64_t name = 0;
  uint64_t count = 0;
  uint64_t before = 0;   // key of the name before the object when first met; 0: none
  uint64_t previous = 0; // key of the name of the block that lived there before; 0: none
  bool direct = false;
  auto operator<=>(const RunPair &) const = default;
};

struct RunPairs {
  // Who it was, as heap::RunSummary has it. Set by the caller.
  std::string arguments;
  std::string input;
  std::string status;
  std::string build_id;
  // What it did.
  bool reads = false;         // reads were watched, too
  uint32_t periods = 1;       // parts of the run in which pairs were told anew
  uint64_t watched_bytes = 0; // at most
  std::vector<RunPair> pairs; // by site and name, each once
  auto operator<=>(const RunPairs &) const = default;
};

struct History {
  std::map<std::string, RunPairs> runs; // by content key
  std::map<uint64_t, AccessSite> sites; // that occur in pairs, by static id
  std::map<uint64_t, Name> names;       // that occur in pairs or beside them, by key
  std::set<PairKey> accepted;
  std::set<uint64_t> program; // static ids of all access sites of all builds trained on
  bool operator==(const History &) const = default;
  bool empty() const { return runs.empty() && accepted.empty(); }
};

// Hash of build id, arguments, input and pairs (without counts): 32 hexadecimal digits.
std::string content_key(const RunPairs &run);

// One run as the history keeps it, with what its sites and names are called.
struct Summary {
  RunPairs run;
  std::map<uint64_t, AccessSite> sites;
  std::map<uint64_t, Name> names;
};
Summary summarize(const AccessRun &run);

void add_run(History &history, const Summary &summary); // replaces an equal one
void add_program(History &history, const AccessTables &tables);
History merge(const History &a, const History &b);

// Runs in a fixed order (arguments, then key).
std::vector<std::string> ordered_keys(const History &history);

} // namespace culprit::access
