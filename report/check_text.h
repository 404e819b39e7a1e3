// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of `culprit check` for people. It is a function of the JSON document and of nothing
// else, so that what a saved document shows tomorrow is what the command printed today.
#pragma once

#include "report/excerpt.h"
#include "report/style.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace culprit::report {

struct TextOptions {
  Style style = {};
  SourceLine source = {};          // empty: no source is shown
  std::filesystem::path base = {}; // files below it are named relative to it
  bool verbose = false;            // all notes, all stacks
};

// Throws nlohmann::json::exception where the document is none of ours.
std::string check_text(const nlohmann::ordered_json &document, const TextOptions &options);

// What a suspect of a role ("feeds", "caller", …) did, in words.
std::string role_text(const std::string &role);

// A file's name, relative to `base` if it is below it.
std::string file_text(const std::filesystem::path &file, const std::filesystem::path &base);

// "src/a.c:57:3"; empty: the location names no file.
std::string place_text(const nlohmann::ordered_json &location, const std::filesystem::path &base);

} // namespace culprit::report
