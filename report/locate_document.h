// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `culprit locate` found, as JSON. The keys outcome, executions, first_corruption and chain
// are the contract with users; the others are added beside them.
#pragma once

#include "engine/locate/iteration.h"
#include "engine/symbolize/symbolize.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace culprit::report {

// One case, searched.
struct LocatedCase {
  std::string label = {};
  std::vector<std::string> arguments = {};
  locate::Located located = {};
  // Of each step of the chain: the places of its call stack, innermost first, as far as known.
  std::vector<std::vector<symbolize::Place>> stacks = {};
  size_t orders = 0; // of variables that were tried
  // Of each step of the chain: what its definitions are called whatever line they are on
  // (engine/triage/identity.h). Empty: not told.
  std::vector<std::vector<std::string>> identities = {};
  std::string difference = {}; // why two executions were not the same; empty: they were
};

nlohmann::ordered_json located_document(const LocatedCase &one);

// Of one case, its keys; of several, `runs` with the keys of each, and the outcome of all: located
// if any is.
void add_located(nlohmann::ordered_json &document, std::vector<nlohmann::ordered_json> cases);

} // namespace culprit::report
