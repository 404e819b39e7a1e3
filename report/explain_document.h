// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `culprit explain` and `culprit diff` found, as JSON. The keys transitions, failure and
// tests, and alignment, first_divergence and differences, are the contract with users; the others
// are added beside them.
#pragma once

#include "engine/explain/at.h"
#include "engine/explain/mutation.h"
#include "engine/explain/search.h"
#include "engine/explain/switching.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace culprit::report {

// The two runs as the user would type them.
struct Commands {
  std::string a; // of explain: the passing one
  std::string b;
};

void add_explanation(nlohmann::ordered_json &document, const explain::Explanation &explanation,
                     const Commands &commands);

// The passing run was the failing one with a branch switched.
void add_switch(nlohmann::ordered_json &document, const explain::Switched &switched);

void add_comparison(nlohmann::ordered_json &document, const explain::Compared &compared,
                    const Commands &commands);
// Of memory at the place that `at` names.
void add_differences(nlohmann::ordered_json &document, const std::string &at,
                     const std::vector<explain::NamedDifference> &differences);

// What follows where the memory of the second run was taken over into the first.
void add_mutations(nlohmann::ordered_json &document,
                   const std::vector<explain::Mutation> &mutations);

} // namespace culprit::report
