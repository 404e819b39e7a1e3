// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a model knows, for people: the end of `culprit train` and `culprit show MODEL`. A function
// of the JSON document, as check_text is.
#pragma once

#include "report/style.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::report {

struct ModelTextOptions {
  Style style = {};
  bool every_run = false; // false: only the runs that something is wrong with
  bool verbose = false;   // unstable metrics and all sites too
};

// Throws nlohmann::json::exception where the document is none of ours.
std::string model_text(const nlohmann::ordered_json &document, const ModelTextOptions &options);

} // namespace culprit::report
