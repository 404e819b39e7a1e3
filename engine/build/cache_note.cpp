// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/cache_note.h"

#include <charconv>
#include <nlohmann/json.hpp>

namespace culprit::build {

using nlohmann::json;

std::string to_json(const CacheNote &note) {
  const json document = {
      {"program", note.program}, {"flavour", note.flavour}, {"checksum", note.checksum}};
  return document.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::optional<CacheNote> cache_note_from_json(std::string_view text) {
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object())
    return std::nullopt;
  CacheNote note;
  for (auto [name, part] : {std::pair{"program", &note.program},
                            {"flavour", &note.flavour},
                            {"checksum", &note.checksum}}) {
    const auto found = document.find(name);
    if (found == document.end() || !found->is_string())
      return std::nullopt;
    *part = found->get<std::string>();
  }
  return note;
}

std::optional<uint64_t> parse_cache_limit(std::string_view text) {
  uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  const std::string_view rest = text.substr(static_cast<size_t>(end - text.data()));
  return error == std::errc() && rest == "\n" ? std::optional(bytes) : std::nullopt;
}

} // namespace culprit::build
