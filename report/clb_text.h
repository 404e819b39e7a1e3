// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of `check --clb`, for people. A function of the JSON document, as check_text is.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::report {

std::string clb_text(const nlohmann::ordered_json &clb);

} // namespace culprit::report
