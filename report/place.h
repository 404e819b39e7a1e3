// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A location, as every document has it: {"file", "line", "column", "function"}.
#pragma once

#include "engine/heap/blame.h"

#include <nlohmann/json.hpp>

namespace culprit::report {

// Null: nothing is known of it.
inline nlohmann::ordered_json place_document(const heap::Place &place) {
  if (place.file.empty() && place.function.empty())
    return nullptr;
  return {{"file", place.file},
          {"line", place.line},
          {"column", place.column},
          {"function", place.function}};
}

} // namespace culprit::report
