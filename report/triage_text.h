// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of `culprit triage` for people: a function of the JSON document and of nothing else.
#pragma once

#include "report/check_text.h"

namespace culprit::report {

// Throws nlohmann::json::exception where the document is none of ours.
std::string triage_text(const nlohmann::ordered_json &document, const TextOptions &options);

} // namespace culprit::report
