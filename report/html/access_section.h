// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access sets in a page: how many sites an object has and how alike its set is from run to run or
// from period to period (the paper's Figures 1 and 2), how many objects a site has, and the largest
// sets.
#pragma once

#include "report/html/markup.h"
#include "report/html/places.h"

#include <nlohmann/json_fwd.hpp>

namespace culprit::report::html {

// `access` of a model's or a saved run's document.
Markup access_section(const nlohmann::ordered_json &access, const PageOptions &options);

} // namespace culprit::report::html
