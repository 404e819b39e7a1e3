// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a model knows of access sets, for people: how many, how large, how alike from run to run and
// from period to period, and the inverse, objects per site. A part of model_text, and like it a
// function of the JSON document.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::report {

// `access` is the document's member of that name; `verbose` lists the largest sets too.
std::string access_model_text(const nlohmann::ordered_json &access, bool verbose);

} // namespace culprit::report
