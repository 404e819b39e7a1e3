// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finding of the detector `access`, for people: the object, who normally writes it, the evidence,
// the call stack. A part of check_text, and like it a function of the JSON document.
#pragma once

#include "report/check_text.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::report {

// The lines below headline and source excerpt.
std::string access_lines(const nlohmann::ordered_json &finding, const TextOptions &options);

// "member 'next' of a block of 64 bytes (struct asset), allocated at a.c:52:3 (load ← main)"
std::string access_object_text(const nlohmann::ordered_json &object,
                               const std::filesystem::path &base);

} // namespace culprit::report
