// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The neighbourhood of an object that offends, drawn as a small graph: who points to it at the
// left, what it points to at the right, an arrow with two heads for both; beside it one of its kind
// as they usually are. The objects are real ones (engine/heap/neighbourhood.h).
#pragma once

#include "report/html/markup.h"

#include <nlohmann/json_fwd.hpp>

namespace culprit::report::html {

// Of a heap finding; nothing, if it has none.
Markup neighbourhood(const nlohmann::ordered_json &finding);

} // namespace culprit::report::html
