// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which findings of a report count: those that no baseline knows and no suppression names. It is
// written into the document itself (`fingerprint`, `known`, `suppressed`, and `settled` with the
// numbers), so that every form of the report says the same, also of a saved one.
#pragma once

#include "report/baseline.h"
#include "report/suppressions.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace culprit::report {

struct Policy {
  std::optional<Baseline> baseline = {};
  std::string baseline_file = {};
  std::vector<Suppression> suppressions = {};
  std::string suppression_file = {};
};

// How many findings are left that count. Throws nlohmann::json::exception where the document is
// none of ours.
size_t settle(nlohmann::ordered_json &document, Policy policy);

// "2 findings are known to known.json · 1 is suppressed by x.supp" and the suppressions that were
// of no use, a line each; empty: there is nothing to say.
std::string settled_text(const nlohmann::ordered_json &document);

} // namespace culprit::report
