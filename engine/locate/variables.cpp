// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See variables.h.
#include "engine/locate/variables.h"

#include "abi/layout.h"
#include "engine/build/file_bytes.h"
#include "engine/heap/sites.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace culprit::locate {
namespace {

using nlohmann::json;

constexpr const char *kAgain = "remove the flavour (`culprit cache --clear`) and run again";
constexpr uint64_t kLargest = uint64_t{1} << 32;
constexpr uint64_t kLargestAlignment = 1U << 16;

std::optional<uint64_t> number(const json &row, size_t at, uint64_t most) {
  if (!row.is_array() || at >= row.size() || !row[at].is_number_unsigned() ||
      row[at].get<uint64_t>() > most)
    return std::nullopt;
  return row[at].get<uint64_t>();
}

bool read_variable(const json &row, Variable &variable) {
  if (!row.is_array() || row.empty() || !row[0].is_string())
    return false;
  variable.name = row[0].get<std::string>();
  const auto size = number(row, 1, kLargest);
  const auto alignment = number(row, 2, kLargestAlignment);
  const auto flags = number(row, 3, UINT32_MAX);
  const auto definition = number(row, 4, UINT32_MAX);
  if (!size || !alignment || !std::has_single_bit(*alignment) || !flags || !definition)
    return false;
  variable.size = *size;
  variable.alignment = *alignment;
  variable.is_buffer = (*flags & CULPRIT_LAYOUT_BUFFER) != 0;
  variable.is_address = (*flags & CULPRIT_LAYOUT_ADDRESS) != 0;
  variable.is_argument = (*flags & CULPRIT_LAYOUT_ARGUMENT) != 0;
  variable.definition = static_cast<uint32_t>(*definition);
  return true;
}

bool read_global(const json &row, GlobalVariable &global) {
  if (!read_variable(row, global) || row.size() < 6 || !row[5].is_array())
    return false;
  for (size_t i = 0; i < row[5].size(); ++i) {
    const auto user = number(row[5], i, UINT32_MAX);
    if (!user)
      return false;
    global.users.push_back(static_cast<uint32_t>(*user));
  }
  return true;
}

bool read_frame(const json &row, Frame &frame) {
  if (!row.is_array() || row.size() < 6 || !row[0].is_string() || !row[5].is_array())
    return false;
  frame.function = row[0].get<std::string>();
  const auto function = number(row, 1, UINT32_MAX);
  const auto first = number(row, 2, kLargest);
  const auto alignment = number(row, 3, kLargestAlignment);
  const auto flags = number(row, 4, UINT32_MAX);
  if (!function || !first || !alignment || *alignment < 16 || !std::has_single_bit(*alignment) ||
      !flags)
    return false;
  frame.number = static_cast<uint32_t>(*function);
  frame.first_entry = *first;
  frame.alignment = *alignment;
  frame.is_alone = (*flags & CULPRIT_LAYOUT_ALONE) != 0;
  for (const json &each : row[5]) {
    Variable variable;
    if (!read_variable(each, variable))
      return false;
    frame.variables.push_back(std::move(variable));
  }
  return true;
}

template <class Row, class Read>
bool read_list(const json &document, const char *key, std::vector<Row> &rows, const Read &read) {
  const auto list = document.find(key);
  if (list == document.end())
    return true;
  if (!list->is_array())
    return false;
  for (const json &each : *list)
    if (!read(each, rows.emplace_back()))
      return false;
  return true;
}

} // namespace

Result<Variables> parse_variables(std::string_view text) {
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  Variables variables;
  if (!document.is_object() ||
      !read_list(document, CULPRIT_LAYOUT_GLOBALS, variables.globals, read_global) ||
      !read_list(document, CULPRIT_LAYOUT_FRAMES, variables.frames, read_frame))
    return fail("a table of variables is not readable", kAgain);
  return variables;
}

Result<Variables> read_variables(const std::filesystem::path &flavour) {
  auto file = build::FileBytes::map(flavour);
  if (!file)
    return std::unexpected(file.error());
  Variables found;
  auto read =
      heap::each_table(file->view(), flavour, [&](uint64_t, std::string_view text) -> Result<void> {
        auto parsed = parse_variables(text);
        if (!parsed)
          return std::unexpected(parsed.error());
        if (!parsed->globals.empty() || !parsed->frames.empty())
          found = std::move(*parsed);
        return {};
      });
  if (!read)
    return std::unexpected(read.error());
  return found;
}

Variables used_by(Variables all, const std::vector<bool> &entered) {
  const auto was_entered = [&](uint32_t function) {
    return function < entered.size() && entered[function];
  };
  // Those that are not used keep their place and their number; they make no pairs.
  for (GlobalVariable &global : all.globals)
    if (std::ranges::none_of(global.users, was_entered))
      global.is_buffer = global.is_address = false;
  for (Frame &frame : all.frames)
    if (!was_entered(frame.number))
      for (Variable &variable : frame.variables)
        variable.is_buffer = variable.is_address = false;
  return all;
}

} // namespace culprit::locate
