// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/link_record.h"

#include <array>
#include <nlohmann/json.hpp>

namespace culprit::build {

namespace {

using nlohmann::json;

// In the order of LinkItem::Kind.
constexpr std::array<std::string_view, 7> kKindNames = {"argument", "output", "object", "archive",
                                                        "library",  "shared", "file"};

std::string string_at(const json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace

std::string to_json(const LinkRecord &record) {
  json items = json::array();
  for (const LinkItem &item : record.items) {
    json entry = {{"kind", kKindNames[static_cast<size_t>(item.kind)]}, {"text", item.text}};
    if (!item.path.empty())
      entry["path"] = item.path;
    if (item.number != 0)
      entry["number"] = item.number;
    items.push_back(std::move(entry));
  }
  const json document = {
      {"linker", record.linker}, {"directory", record.directory}, {"items", std::move(items)}};
  // Arguments may hold any bytes; replaced ones cannot be replayed, but the build must not fail for
  // them.
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<LinkRecord> link_record_from_json(std::string_view text) {
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object() || !document.contains("items") || !document["items"].is_array())
    return fail("the carried link record is not readable",
                "build the program again with `culprit cc`");
  LinkRecord record{string_at(document, "linker"), string_at(document, "directory"), {}};
  for (const json &entry : document["items"]) {
    if (!entry.is_object())
      return fail("the carried link record holds an item that is no object");
    const auto name = std::ranges::find(kKindNames, string_at(entry, "kind"));
    if (name == kKindNames.end())
      return fail("the carried link record holds an item of an unknown kind",
                  "it was written by a newer culprit; build the program again with this one");
    LinkItem item{static_cast<LinkItem::Kind>(name - kKindNames.begin()), string_at(entry, "text"),
                  string_at(entry, "path"), 0};
    if (const auto number = entry.find("number");
        number != entry.end() && number->is_number_unsigned())
      item.number = number->get<unsigned>();
    record.items.push_back(std::move(item));
  }
  return record;
}

} // namespace culprit::build
