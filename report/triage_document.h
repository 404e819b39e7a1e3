// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `culprit triage` found, as JSON. The keys groups (first_corruption, inputs, crashes) and
// unresolved are the contract with users; the others are added beside them.
#pragma once

#include "engine/triage/group.h"
#include "engine/triage/inputs.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace culprit::report {

struct Triage {
  std::vector<triage::Input> inputs = {};
  // Of each input: the position of its document; nothing: it was not located, because the triage
  // was interrupted. Inputs with the same content share one.
  std::vector<std::optional<size_t>> of_input = {};
  std::vector<nlohmann::ordered_json> documents = {}; // of report/locate_document.h
  std::vector<triage::Record> records = {};           // the same, read
  size_t reused = 0;                                  // documents of an earlier triage
};

// What there is of each.
struct TriageCounts {
  size_t groups = 0;
  size_t unresolved = 0;
  size_t remaining = 0; // inputs
};

TriageCounts add_triage(nlohmann::ordered_json &document, const Triage &triage);

} // namespace culprit::report
