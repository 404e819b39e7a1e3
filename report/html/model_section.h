// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was learned of the heap, in a page: the metrics with class and range, the allocation sites
// with ranges of their own, and the runs it was learned from. Of a saved run, its metrics.
#pragma once

#include "report/html/markup.h"
#include "report/html/places.h"

#include <nlohmann/json_fwd.hpp>

namespace culprit::report::html {

Markup metrics_section(const nlohmann::ordered_json &document, const PageOptions &options);
Markup sites_section(const nlohmann::ordered_json &document, const PageOptions &options);
Markup training_runs_section(const nlohmann::ordered_json &document, const PageOptions &options);

} // namespace culprit::report::html
