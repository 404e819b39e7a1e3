// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See tables.h.
#include "engine/access/tables.h"

#include "abi/access.h"
#include "abi/sites.h"
#include "engine/build/file_bytes.h"
#include "engine/heap/sites.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::access {
namespace {

using nlohmann::json;

constexpr const char *kAgain = "remove the flavour (`culprit cache --clear`) and run again";
constexpr size_t kMaxEntries = 8'000'000; // of one list; more is a forged table
constexpr uint32_t kMaxLayout = 1U << 20; // members of one layout

// Reads the values of one object; `good` says at the end whether all had the right type.
struct Reader {
  const json &object;
  bool good = true;

  const json *find(const char *key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }
  std::string text(const char *key) {
    const json *value = find(key);
    if (value == nullptr)
      return {};
    good = good && value->is_string();
    return value->is_string() ? value->get<std::string>() : std::string();
  }
  uint64_t number(const char *key, uint64_t largest) {
    const json *value = find(key);
    if (value == nullptr)
      return 0;
    good = good && value->is_number_unsigned() && value->get<uint64_t>() <= largest;
    return good ? value->get<uint64_t>() : 0;
  }
  unsigned small(const char *key) { return static_cast<unsigned>(number(key, UINT32_MAX)); }
  bool flag(const char *key) {
    const json *value = find(key);
    if (value == nullptr)
      return false;
    good = good && value->is_boolean();
    return value->is_boolean() && value->get<bool>();
  }
};

std::optional<AccessSite> site_of(Reader in) {
  const auto id = heap::id_of(in.text("id"));
  AccessSite site{id.value_or(0),      in.text("file"),   in.small("line"), in.small("column"),
                  in.text("function"), in.text("callee"), in.flag("read"),  in.flag("direct")};
  return id && in.good ? std::optional(std::move(site)) : std::nullopt;
}

std::optional<AccessRow> row_of(Reader in) {
  const AccessRow row{in.small("site"), static_cast<uint8_t>(in.number("size", CULPRIT_GRANULE)),
                      static_cast<uint8_t>(in.number("flags", UINT8_MAX))};
  return in.good ? std::optional(row) : std::nullopt;
}

std::optional<Variable> variable_of(Reader in) {
  Variable variable;
  const std::string kind = in.text("kind");
  if (kind == "local")
    variable.kind = VariableKind::local;
  else if (kind == "return")
    variable.kind = VariableKind::return_slot;
  else if (kind == "outside")
    variable.kind = VariableKind::outside;
  else if (kind != "global")
    return std::nullopt;
  variable.name = in.text("name");
  variable.function = in.text("function");
  variable.file = in.text("file");
  variable.line = in.small("line");
  variable.size = in.number("size", UINT64_MAX);
  variable.type = in.text("type");
  if (in.find("layout") != nullptr)
    variable.layout = in.small("layout");
  variable.internal = in.flag("internal");
  return in.good ? std::optional(std::move(variable)) : std::nullopt;
}

std::optional<Layout> layout_of(Reader in) {
  Layout layout{in.text("type"), in.number("size", UINT64_MAX), in.small("rest"), {}};
  const json *members = in.find("members");
  if (!in.good || members == nullptr || !members->is_array() || members->size() > kMaxLayout ||
      layout.rest > members->size())
    return std::nullopt;
  for (const json &object : *members) {
    if (!object.is_object())
      return std::nullopt;
    Reader member{object};
    layout.members.push_back({member.text("name"), member.small("start"), member.flag("array")});
    if (!member.good)
      return std::nullopt;
  }
  return layout;
}

template <typename T>
Result<void> read_list(const json &document, const char *key, std::optional<T> (*entry_of)(Reader),
                       std::vector<T> &to) {
  const auto list = document.find(key);
  if (list == document.end())
    return {};
  if (!list->is_array() || list->size() > kMaxEntries)
    return fail(fmt::format("a table of {} is not readable", key), kAgain);
  to.reserve(list->size());
  for (const json &object : *list) {
    auto entry = object.is_object() ? entry_of(Reader{object}) : std::nullopt;
    if (!entry)
      return fail(fmt::format("entry {} of a table of {} is not readable", to.size(), key), kAgain);
    to.push_back(std::move(*entry));
  }
  return {};
}

} // namespace

Result<UnitTables> parse_tables(std::string_view text) {
  const auto is_ours = [](int depth, json::parse_event_t event, json &parsed) {
    return depth != 1 || event != json::parse_event_t::key || parsed != CULPRIT_SITES_LIST;
  };
  const json document = json::parse(text, is_ours, /*allow_exceptions=*/false);
  if (!document.is_object())
    return fail("a table of accesses is not readable", kAgain);
  UnitTables tables;
  if (auto read = read_list(document, CULPRIT_SITES_ACCESSES, site_of, tables.sites); !read)
    return std::unexpected(read.error());
  if (auto read = read_list(document, CULPRIT_SITES_ROWS, row_of, tables.rows); !read)
    return std::unexpected(read.error());
  if (auto read = read_list(document, CULPRIT_SITES_VARIABLES, variable_of, tables.variables);
      !read)
    return std::unexpected(read.error());
  if (auto read = read_list(document, CULPRIT_SITES_LAYOUTS, layout_of, tables.layouts); !read)
    return std::unexpected(read.error());
  if (std::ranges::any_of(tables.rows,
                          [&](const AccessRow &row) { return row.site >= tables.sites.size(); }))
    return fail("a row names an access site that is not there", kAgain);
  if (std::ranges::any_of(tables.variables, [&](const Variable &variable) {
        return variable.layout && *variable.layout >= tables.layouts.size();
      }))
    return fail("a variable names a layout that is not there", kAgain);
  return tables;
}

Result<AccessTables> read_tables_bytes(std::string_view elf, const std::filesystem::path &name) {
  AccessTables tables;
  auto read =
      heap::each_table(elf, name, [&](uint64_t unit, std::string_view text) -> Result<void> {
        auto parsed = parse_tables(text);
        if (!parsed)
          return std::unexpected(parsed.error());
        tables.insert_or_assign(unit, std::move(*parsed));
        return {};
      });
  if (!read)
    return std::unexpected(read.error());
  return tables;
}

Result<AccessTables> read_tables(const std::filesystem::path &flavour) {
  auto file = build::FileBytes::map(flavour);
  if (!file)
    return std::unexpected(file.error());
  return read_tables_bytes(file->view(), flavour);
}

Result<SharedTables> read_all_tables(std::span<const std::filesystem::path> flavours) {
  auto all = std::make_shared<AccessTables>();
  for (const std::filesystem::path &flavour : flavours) {
    auto tables = read_tables(flavour);
    if (!tables)
      return std::unexpected(tables.error());
    all->merge(*tables);
  }
  return all;
}

bool watches_reads(const AccessTables &tables) {
  return std::ranges::any_of(tables, [](const auto &unit) {
    return std::ranges::any_of(unit.second.sites, [](const AccessSite &site) { return site.read; });
  });
}

} // namespace culprit::access
