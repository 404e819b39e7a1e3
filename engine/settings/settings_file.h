// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `culprit.toml` → values. The reader knows no setting: it is given rows, each with the place its
// value goes to, and settings.h makes the rows from the analyses' own lists.
//
// Rules: a key that no row has, a value of another type and a value out of its bounds are errors
// that name file and line; a file is applied as a whole or, on an error, not to be used at all.
#pragma once

#include "engine/error.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace culprit::settings {

using Slot = std::variant<double *, uint64_t *, bool *, std::string *>;

struct Row {
  std::string section; // "heap"
  std::string name;    // "trim"
  std::string meaning;
  Slot slot;
  double low = 0; // of numbers: what makes sense
  double high = 1e18;
  std::vector<std::string> choices = {}; // of texts: nothing else is allowed; empty: any

  std::string key() const { return section + "." + name; }
};

// As it is written in the file: 0.1, 40, true, "paper".
std::string value_text(const Row &row);
// "number", "whole number", "true or false", "text"
std::string_view type_text(const Row &row);

// Stores what `text` sets into the rows' slots. `name` is how errors call the file.
Result<void> apply(std::string_view text, std::string_view name, std::span<const Row> rows);
Result<void> apply_file(const std::filesystem::path &path, std::span<const Row> rows);

// The nearest of `names` if it is near enough to be a slip of the fingers, else empty.
std::string did_you_mean(std::string_view wrong, std::span<const std::string> names);

} // namespace culprit::settings
