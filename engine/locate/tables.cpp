// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See tables.h.
#include "engine/locate/tables.h"

#include "abi/sites.h"
#include "engine/build/file_bytes.h"
#include "engine/heap/sites.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::locate {
namespace {

using nlohmann::json;

constexpr const char *kAgain = "remove the flavour (`culprit cache --clear`) and run again";
constexpr size_t kMaxStrings = 16'000'000; // more is a forged table
constexpr size_t kMaxRows = CULPRIT_MAX_DEFINITIONS;
constexpr size_t kMaxLeaves = 64; // of one row; the pass writes CULPRIT_LEAVES at most

constexpr std::array<std::string_view, 9> kDefinitionKinds = {
    "store", "constant", "call", "library", "allocation", "free", "variable", "global", "byval"};
constexpr std::array<std::string_view, 6> kPlaceKinds = {"load",   "store", "call",
                                                         "divide", "stop",  "free"};
constexpr std::array<std::string_view, 7> kRoles = {"base",      "index",   "pointer", "argument",
                                                    "condition", "divisor", "guard"};

// Reads the values of one row in turn; `good` says at the end whether all were what they must be.
// A row that ends early has nothing for the rest.
struct Row {
  const json &values;
  const std::vector<std::string> &strings;
  size_t at = 0;
  bool good = true;

  uint64_t number(uint64_t largest) {
    if (at >= values.size())
      return 0;
    const json &value = values[at++];
    good = good && value.is_number_unsigned() && value.get<uint64_t>() <= largest;
    return good ? value.get<uint64_t>() : 0;
  }
  uint32_t small() { return static_cast<uint32_t>(number(UINT32_MAX)); }
  // 0 stands for no text, also where there are no strings.
  uint32_t text() {
    return static_cast<uint32_t>(number(strings.empty() ? 0 : strings.size() - 1));
  }
  const json *list() {
    if (at >= values.size())
      return nullptr;
    const json &value = values[at++];
    good = good && value.is_array() && value.size() <= kMaxLeaves;
    return good ? &value : nullptr;
  }
  template <typename Kind, size_t N> Kind one_of(const std::array<std::string_view, N> &names) {
    const uint32_t position = text();
    const std::string_view name =
        position < strings.size() ? std::string_view(strings[position]) : std::string_view();
    const auto found = std::ranges::find(names, name);
    good = good && found != names.end();
    return good ? static_cast<Kind>(found - names.begin()) : Kind{};
  }
};

bool add_definition(const json &values, Tables &tables) {
  Row in{values, tables.strings};
  Tables::DefinitionRow row{};
  row.kind = in.one_of<DefinitionKind>(kDefinitionKinds);
  row.file = in.text();
  row.line = in.small();
  row.column = in.small();
  row.function = in.text();
  row.variable = in.text();
  row.callee = in.text();
  row.first_leaf = static_cast<uint32_t>(tables.leaf_names.size());
  if (const json *leaves = in.list()) {
    Row names{*leaves, tables.strings};
    while (names.good && names.at < leaves->size())
      tables.leaf_names.push_back(names.text());
    in.good = in.good && names.good;
  }
  row.leaves = static_cast<uint32_t>(tables.leaf_names.size()) - row.first_leaf;
  row.size = in.small();
  row.object = in.text();
  const uint64_t marks = in.number(CULPRIT_MARK_UPDATE | CULPRIT_MARK_MEMBER | CULPRIT_MARK_LOCAL |
                                   CULPRIT_MARK_SMALL);
  row.update = (marks & CULPRIT_MARK_UPDATE) != 0;
  row.member = (marks & CULPRIT_MARK_MEMBER) != 0;
  row.local = (marks & CULPRIT_MARK_LOCAL) != 0;
  row.small = (marks & CULPRIT_MARK_SMALL) != 0;
  tables.definitions.push_back(row);
  return in.good;
}

bool add_place(const json &values, Tables &tables) {
  Row in{values, tables.strings};
  Tables::PlaceRow row{};
  row.kind = in.one_of<PlaceKind>(kPlaceKinds);
  row.file = in.text();
  row.line = in.small();
  row.column = in.small();
  row.function = in.text();
  row.size = in.number(UINT64_MAX);
  row.callee = in.text();
  row.first_leaf = static_cast<uint32_t>(tables.place_leaves.size());
  if (const json *leaves = in.list())
    for (const json &pair : *leaves) {
      if (!pair.is_array())
        return false;
      Row leaf{pair, tables.strings};
      const uint32_t name = leaf.text();
      tables.place_leaves.push_back({name, leaf.one_of<Role>(kRoles)});
      in.good = in.good && leaf.good;
    }
  row.leaves = static_cast<uint32_t>(tables.place_leaves.size()) - row.first_leaf;
  tables.places.push_back(row);
  return in.good;
}

Result<void> read_rows(const json &document, const char *key, Tables &tables,
                       bool (*add)(const json &, Tables &)) {
  const auto list = document.find(key);
  if (list == document.end())
    return {};
  if (!list->is_array() || list->size() >= kMaxRows)
    return fail(fmt::format("a table of {} is not readable", key), kAgain);
  for (size_t i = 0; i < list->size(); ++i)
    if (!(*list)[i].is_array() || !add((*list)[i], tables))
      return fail(fmt::format("entry {} of a table of {} is not readable", i, key), kAgain);
  return {};
}

Result<void> read_strings(const json &document, std::vector<std::string> &strings) {
  const auto list = document.find(CULPRIT_SITES_STRINGS);
  if (list == document.end())
    return {};
  if (!list->is_array() || list->size() > kMaxStrings)
    return fail("a table of strings is not readable", kAgain);
  strings.reserve(list->size());
  for (const json &text : *list) {
    if (!text.is_string())
      return fail(fmt::format("entry {} of a table of strings is not readable", strings.size()),
                  kAgain);
    strings.push_back(text.get<std::string>());
  }
  return {};
}

} // namespace

std::string_view name_of(DefinitionKind kind) {
  return kDefinitionKinds[static_cast<size_t>(kind)];
}
std::string_view name_of(PlaceKind kind) { return kPlaceKinds[static_cast<size_t>(kind)]; }
std::string_view name_of(Role role) { return kRoles[static_cast<size_t>(role)]; }

std::optional<DefinitionKind> Tables::kind(uint32_t definition) const {
  if (definition == 0 || definition > definitions.size())
    return std::nullopt;
  return definitions[definition - 1].kind;
}

uint32_t Tables::place_of_store(uint32_t definition) const {
  if (kind(definition) != DefinitionKind::store)
    return 0;
  const DefinitionRow &store = definitions[definition - 1];
  uint32_t found = 0;
  for (uint32_t i = 0; i < places.size(); ++i) {
    const PlaceRow &place = places[i];
    if (place.kind != PlaceKind::store || place.line != store.line ||
        place.column != store.column || place.file != store.file ||
        place.function != store.function)
      continue;
    if (found != 0)
      return 0;
    found = i + 1;
  }
  return found;
}

uint32_t Tables::library_writer_at(uint32_t place) const {
  if (place == 0 || place > places.size() || places[place - 1].kind != PlaceKind::call)
    return 0;
  const PlaceRow &call = places[place - 1];
  uint32_t found = 0;
  for (uint32_t i = 0; i < definitions.size(); ++i) {
    const DefinitionRow &writer = definitions[i];
    if (writer.kind != DefinitionKind::library || writer.line != call.line ||
        writer.column != call.column || writer.file != call.file ||
        writer.function != call.function || writer.callee != call.callee)
      continue;
    if (found != 0)
      return 0;
    found = i + 1;
  }
  return found;
}

std::optional<Definition> Tables::definition(uint32_t number) const {
  if (number == 0 || number > definitions.size())
    return std::nullopt;
  const auto text = [&](uint32_t position) {
    return position == 0 ? std::string() : strings[position];
  };
  const DefinitionRow &row = definitions[number - 1];
  Definition definition{.kind = row.kind,
                        .at = {text(row.file), row.line, row.column, text(row.function)},
                        .variable = text(row.variable),
                        .callee = text(row.callee),
                        .size = row.size,
                        .object = text(row.object),
                        .update = row.update,
                        .member = row.member,
                        .local = row.local,
                        .small = row.small};
  for (uint32_t i = 0; i < row.leaves; ++i)
    definition.leaves.push_back(text(leaf_names[row.first_leaf + i]));
  return definition;
}

std::optional<Place> Tables::place(uint32_t number) const {
  if (number == 0 || number > places.size())
    return std::nullopt;
  const auto text = [&](uint32_t position) {
    return position == 0 ? std::string() : strings[position];
  };
  const PlaceRow &row = places[number - 1];
  Place place{.kind = row.kind,
              .at = {text(row.file), row.line, row.column, text(row.function)},
              .size = row.size,
              .callee = text(row.callee)};
  for (uint32_t i = 0; i < row.leaves; ++i) {
    const LeafRow &leaf = place_leaves[row.first_leaf + i];
    place.leaves.push_back({text(leaf.name), leaf.role});
  }
  return place;
}

Result<Tables> parse_tables(std::string_view text) {
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object())
    return fail("a table of definitions is not readable", kAgain);
  Tables tables;
  if (auto read = read_strings(document, tables.strings); !read)
    return std::unexpected(read.error());
  if (auto read = read_rows(document, CULPRIT_SITES_DEFINITIONS, tables, add_definition); !read)
    return std::unexpected(read.error());
  if (auto read = read_rows(document, CULPRIT_SITES_PLACES, tables, add_place); !read)
    return std::unexpected(read.error());
  return tables;
}

Result<Tables> read_tables_bytes(std::string_view elf, const std::filesystem::path &name) {
  std::optional<Tables> tables;
  auto read =
      heap::each_table(elf, name, [&](uint64_t unit, std::string_view text) -> Result<void> {
        auto parsed = parse_tables(text);
        if (!parsed)
          return std::unexpected(parsed.error());
        if (parsed->definitions.empty() && parsed->places.empty())
          return {};
        if (tables)
          return fail("more than one unit has definitions", kAgain);
        tables = std::move(*parsed);
        tables->unit = unit;
        return {};
      });
  if (!read)
    return std::unexpected(read.error());
  return tables ? std::move(*tables) : Tables{};
}

Result<Tables> read_tables(const std::filesystem::path &flavour) {
  auto file = build::FileBytes::map(flavour);
  if (!file)
    return std::unexpected(file.error());
  return read_tables_bytes(file->view(), flavour);
}

} // namespace culprit::locate
