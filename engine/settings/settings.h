// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All settings of all analyses, and `culprit.toml`, the file they come from. Each analysis keeps a
// list of its own (engine/heap/settings.def); a section of the file is one such list.
//
// Rules: a key that no list has, a value of another type and a value that makes no sense are errors
// that name file and line. A threshold misspelt must not silently stay at its default.
#pragma once

#include "engine/access/settings.h"
#include "engine/error.h"
#include "engine/heap/settings.h"
#include "engine/locate/settings.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::settings {

struct Settings {
  heap::HeapSettings heap;
  access::AccessSettings access;
  locate::LocateSettings locate;
};

inline constexpr std::string_view kDefaultFile = "culprit.toml"; // in the current directory

// `name` is how errors call the file.
Result<Settings> parse(std::string_view text, std::string_view name);
// An empty path: kDefaultFile if there is one, else the defaults.
Result<Settings> read(const std::filesystem::path &path);

struct Shown {
  std::string key; // "heap.trim_start"
  std::string type;
  std::string value; // as the file writes it
  std::string default_value;
  std::string meaning;
};
std::vector<Shown> shown(const Settings &settings);

// The nearest of `names` if it is near enough to be a slip of the fingers, else empty.
std::string did_you_mean(std::string_view wrong, std::span<const std::string> names);

} // namespace culprit::settings
