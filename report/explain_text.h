// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reports of `culprit explain` and `culprit diff` for people: functions of the JSON documents
// and of nothing else, as check's.
#pragma once

#include "report/check_text.h"

namespace culprit::report {

// Throw nlohmann::json::exception where the document is none of ours.
std::string explain_text(const nlohmann::ordered_json &document, const TextOptions &options);
std::string diff_text(const nlohmann::ordered_json &document, const TextOptions &options);

} // namespace culprit::report
