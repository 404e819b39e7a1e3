// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See tables.h.
#include "engine/explain/tables.h"

#include "abi/sites.h"
#include "engine/build/file_bytes.h"
#include "engine/heap/sites.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace culprit::explain {
namespace {

using nlohmann::json;

constexpr const char *kAgain = "remove the flavour (`culprit cache --clear`) and run again";

// Reads the values of one row in turn; `good` says at the end whether all were what they must be.
struct Row {
  const json &values;
  const std::vector<std::string> &strings;
  size_t at = 0;
  bool good = true;

  uint64_t number(uint64_t largest) {
    good = good && at < values.size() && values[at].is_number_unsigned() &&
           values[at].get<uint64_t>() <= largest;
    return good ? values[at++].get<uint64_t>() : 0;
  }
  std::string text() {
    const uint64_t position = number(strings.empty() ? 0 : strings.size() - 1);
    good = good && position < strings.size();
    return good ? strings[position] : std::string();
  }
  uint64_t id() {
    good = good && at < values.size() && values[at].is_string();
    const auto found = good ? heap::id_of(values[at++].get<std::string>()) : std::nullopt;
    good = good && found;
    return found.value_or(0);
  }
};

bool add_site(const json &values, const std::vector<std::string> &strings, Tables &tables) {
  Row row{values, strings};
  Site site;
  site.id = row.id();
  site.at.file = row.text();
  site.at.line = static_cast<unsigned>(row.number(UINT32_MAX));
  site.at.column = static_cast<unsigned>(row.number(UINT32_MAX));
  site.at.function = row.text();
  site.ways = static_cast<unsigned>(row.number(UINT16_MAX));
  site.allocates = !row.text().empty();
  tables.sites.push_back(std::move(site));
  return row.good;
}

bool add_name(const json &values, const std::vector<std::string> &strings, Tables &tables) {
  Row row{values, strings};
  Name name;
  name.name = row.text();
  name.function = row.text();
  name.type = static_cast<uint32_t>(row.number(UINT32_MAX));
  tables.names.push_back(std::move(name));
  return row.good;
}

Type::Kind kind_of(std::string_view name) {
  constexpr std::pair<std::string_view, Type::Kind> kKinds[] = {
      {"signed", Type::Kind::signed_number}, {"unsigned", Type::Kind::unsigned_number},
      {"bool", Type::Kind::boolean},         {"char", Type::Kind::character},
      {"float", Type::Kind::floating},       {"pointer", Type::Kind::pointer},
      {"array", Type::Kind::array},          {"record", Type::Kind::record},
      {"union", Type::Kind::one_of},         {"enum", Type::Kind::enumeration},
  };
  const auto *found =
      std::ranges::find(kKinds, name, &std::pair<std::string_view, Type::Kind>::first);
  return found == std::end(kKinds) ? Type::Kind::other : found->second;
}

bool add_type(const json &values, const std::vector<std::string> &strings, Tables &tables) {
  Row row{values, strings};
  Type type;
  type.kind = kind_of(row.text());
  type.name = row.text();
  type.size = row.number(UINT64_MAX);
  type.of = static_cast<uint32_t>(row.number(UINT32_MAX));
  type.count = row.number(UINT64_MAX);
  row.good = row.good && row.at < values.size() && values[row.at].is_array();
  if (row.good)
    for (const json &each : values[row.at]) {
      Row member{each, strings};
      row.good = row.good && each.is_array();
      if (!row.good)
        return false;
      const std::string name = member.text();
      const uint64_t offset = member.number(UINT64_MAX);
      const auto of = static_cast<uint32_t>(member.number(UINT32_MAX));
      Type::Member made{name, offset, of};
      if (each.size() > 3) {
        made.first_bit = static_cast<uint32_t>(member.number(7));
        made.bits = static_cast<uint32_t>(member.number(UINT32_MAX));
      }
      type.members.push_back(std::move(made));
      row.good = member.good;
    }
  tables.types.add(std::move(type));
  return row.good;
}

Result<void> read_rows(const json &document, const char *key,
                       const std::vector<std::string> &strings, Tables &tables,
                       bool (*add)(const json &, const std::vector<std::string> &, Tables &)) {
  const auto list = document.find(key);
  if (list == document.end())
    return {};
  if (!list->is_array())
    return fail(fmt::format("a table of {} is not readable", key), kAgain);
  for (size_t i = 0; i < list->size(); ++i)
    if (!(*list)[i].is_array() || !add((*list)[i], strings, tables))
      return fail(fmt::format("entry {} of a table of {} is not readable", i, key), kAgain);
  return {};
}

} // namespace

Result<Tables> parse_tables(std::string_view text) {
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object())
    return fail("a table of points is not readable", kAgain);
  std::vector<std::string> strings;
  if (const auto list = document.find(CULPRIT_SITES_STRINGS); list != document.end()) {
    if (!list->is_array())
      return fail("a table of strings is not readable", kAgain);
    for (const json &each : *list) {
      if (!each.is_string())
        return fail(fmt::format("entry {} of a table of strings is not readable", strings.size()),
                    kAgain);
      strings.push_back(each.get<std::string>());
    }
  }
  Tables tables;
  if (auto read = read_rows(document, CULPRIT_SITES_POINTS, strings, tables, add_site); !read)
    return std::unexpected(read.error());
  if (auto read = read_rows(document, CULPRIT_SITES_NAMES, strings, tables, add_name); !read)
    return std::unexpected(read.error());
  if (auto read = read_rows(document, CULPRIT_SITES_TYPES, strings, tables, add_type); !read)
    return std::unexpected(read.error());
  tables.types.complete();
  return tables;
}

Result<Tables> read_tables(const std::filesystem::path &flavour) {
  auto file = build::FileBytes::map(flavour);
  if (!file)
    return std::unexpected(file.error());
  std::optional<Tables> tables;
  auto read = heap::each_table(file->view(), flavour,
                               [&](uint64_t unit, std::string_view text) -> Result<void> {
                                 auto parsed = parse_tables(text);
                                 if (!parsed)
                                   return std::unexpected(parsed.error());
                                 if (parsed->sites.empty())
                                   return {};
                                 if (tables)
                                   return fail("more than one unit has points", kAgain);
                                 tables = std::move(*parsed);
                                 tables->unit = unit;
                                 return {};
                               });
  if (!read)
    return std::unexpected(read.error());
  return tables ? std::move(*tables) : Tables{};
}

} // namespace culprit::explain
