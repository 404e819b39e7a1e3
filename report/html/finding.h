// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finding or note of `culprit check` in a page: the message, the source, and the evidence of its
// detector (heap_evidence.cpp, access_evidence.cpp).
#pragma once

#include "report/html/markup.h"
#include "report/html/places.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::report::html {

// An article under a heading of the third level.
Markup finding_article(const nlohmann::ordered_json &finding, const std::string &id,
                       const PageOptions &options);

// The plot with learned range and violation, the suspects, the objects, the stacks.
Markup heap_evidence(const nlohmann::ordered_json &finding, const PageOptions &options);
// The object, its normal writers, the counts behind the confidence, the stack.
Markup access_evidence(const nlohmann::ordered_json &finding, const PageOptions &options);

} // namespace culprit::report::html
