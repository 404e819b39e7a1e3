// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in the source: by name, and as an excerpt with the line concerned marked.
#pragma once

#include "report/excerpt.h"
#include "report/html/markup.h"
#include "report/html/outline.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::report::html {

struct PageOptions {
  SourceLine source = {};          // empty: no source is shown
  std::filesystem::path base = {}; // files below it are named relative to it
  Outline outline = {};
};

// "src/a.c:57:3"; nothing, if the location names no file.
Markup place(const nlohmann::ordered_json &location, const PageOptions &options);

// "insert_after", as code.
Markup function(const std::string &name);

// The line with its neighbours, the statement at the column marked, and a remark under it. Nothing,
// if the source is not to be had.
Markup excerpt(const nlohmann::ordered_json &location, const std::string &remark,
               const PageOptions &options);

// The frames of a call stack, innermost first, each with its place.
Markup call_stack(const nlohmann::ordered_json &frames, const PageOptions &options);

} // namespace culprit::report::html
