// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/settings/settings_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <numeric>
#include <sstream>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace culprit::settings {

namespace {

struct Place {
  std::string_view file;
  toml::source_position position;

  std::unexpected<Error> fails(const std::string &what, const std::string &hint = {}) const {
    return fail(fmt::format("{}:{}: {}", file, position.line, what), hint);
  }
};

std::string hint_for(std::string_view wrong, std::span<const std::string> names) {
  const std::string near = did_you_mean(wrong, names);
  return near.empty() ? "`culprit show --settings` lists all settings"
                      : fmt::format("did you mean '{}'?", near);
}

Result<void> store_number(const Row &row, const toml::node &value, const Place &place) {
  const std::optional<double> number = value.value<double>();
  if (!value.is_number() || !number)
    return place.fails(fmt::format("'{}' must be a {}", row.key(), type_text(row)));
  if (!(*number >= row.low && *number <= row.high))
    return place.fails(fmt::format("'{}' is {}, but must be from {} to {}", row.key(), *number,
                                   row.low, row.high));
  if (auto *const *slot = std::get_if<double *>(&row.slot)) {
    **slot = *number;
    return {};
  }
  if (!value.is_integer())
    return place.fails(fmt::format("'{}' must be a {}", row.key(), type_text(row)));
  *std::get<uint64_t *>(row.slot) = static_cast<uint64_t>(value.as_integer()->get());
  return {};
}

Result<void> store_text(const Row &row, const toml::node &value, const Place &place) {
  if (!value.is_string())
    return place.fails(fmt::format("'{}' must be a text in quotes", row.key()));
  const std::string &text = value.as_string()->get();
  if (!row.choices.empty() && std::ranges::find(row.choices, text) == row.choices.end())
    return place.fails(fmt::format("'{}' is '{}', but must be one of: {}", row.key(), text,
                                   fmt::join(row.choices, ", ")));
  *std::get<std::string *>(row.slot) = text;
  return {};
}

Result<void> store(const Row &row, const toml::node &value, const Place &place) {
  if (std::holds_alternative<std::string *>(row.slot))
    return store_text(row, value, place);
  auto *const *flag = std::get_if<bool *>(&row.slot);
  if (flag == nullptr)
    return store_number(row, value, place);
  if (!value.is_boolean())
    return place.fails(fmt::format("'{}' must be true or false", row.key()));
  **flag = value.as_boolean()->get();
  return {};
}

Result<void> apply_section(std::string_view section, const toml::table &table,
                           std::string_view file, std::span<const Row> rows) {
  for (const auto &[key, value] : table) {
    const Place place{file, key.source().begin};
    const auto row = std::ranges::find_if(
        rows, [&](const Row &one) { return one.section == section && one.name == key.str(); });
    if (row == rows.end()) {
      std::vector<std::string> names;
      for (const Row &one : rows)
        names.push_back(one.key());
      const std::string wrong = fmt::format("{}.{}", section, key.str());
      return place.fails(fmt::format("there is no setting '{}'", wrong), hint_for(wrong, names));
    }
    if (auto stored = store(*row, value, place); !stored)
      return stored;
  }
  return {};
}

} // namespace

std::string value_text(const Row &row) {
  struct Visitor {
    std::string operator()(const double *value) const { return fmt::format("{}", *value); }
    std::string operator()(const uint64_t *value) const { return fmt::format("{}", *value); }
    std::string operator()(const bool *value) const { return *value ? "true" : "false"; }
    std::string operator()(const std::string *value) const { return fmt::format("\"{}\"", *value); }
  };
  return std::visit(Visitor{}, row.slot);
}

std::string_view type_text(const Row &row) {
  struct Visitor {
    std::string_view operator()(const double *) const { return "number"; }
    std::string_view operator()(const uint64_t *) const { return "whole number"; }
    std::string_view operator()(const bool *) const { return "true or false"; }
    std::string_view operator()(const std::string *) const { return "text"; }
  };
  return std::visit(Visitor{}, row.slot);
}

Result<void> apply(std::string_view text, std::string_view name, std::span<const Row> rows) {
  const toml::parse_result parsed = toml::parse(text, name);
  if (!parsed)
    return Place{name, parsed.error().source().begin}.fails(
        std::string(parsed.error().description()));
  for (const auto &[key, value] : parsed.table()) {
    const Place place{name, key.source().begin};
    std::vector<std::string> sections;
    for (const Row &row : rows)
      if (sections.empty() || sections.back() != row.section)
        sections.push_back(row.section);
    if (std::ranges::find(sections, key.str()) == sections.end())
      return place.fails(fmt::format("there is no section '{}'", key.str()),
                         hint_for(key.str(), sections));
    const toml::table *table = value.as_table();
    if (table == nullptr)
      return place.fails(fmt::format("'{}' is a section, not a value", key.str()),
                         fmt::format("write [{}] on a line of its own", key.str()));
    if (auto applied = apply_section(key.str(), *table, name, rows); !applied)
      return applied;
  }
  return {};
}

Result<void> apply_file(const std::filesystem::path &path, std::span<const Row> rows) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return fail(fmt::format("{}: no such file", path.string()));
  if (!std::filesystem::is_regular_file(path, error))
    return fail(fmt::format("{}: not a regular file", path.string()));
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream)
    return fail(fmt::format("{}: cannot be read", path.string()));
  return apply(text.str(), path.string(), rows);
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string> names) {
  std::string best;
  size_t least = wrong.size() / 3 + 1; // more changes than that is another word
  for (const std::string &name : names) {
    // Edit distance, one row of the table at a time.
    std::vector<size_t> row(name.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= wrong.size(); ++i) {
      size_t diagonal = row[0];
      row[0] = i;
      for (size_t j = 1; j <= name.size(); ++j) {
        const size_t changed = diagonal + (wrong[i - 1] == name[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
      }
    }
    if (row.back() <= least) {
      if (row.back() < least || best.empty())
        best = name;
      least = row.back();
    }
  }
  return best;
}

} // namespace culprit::settings
