// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/triage/baseline.h"

#include "engine/build/file_bytes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::triage {

namespace {

using Json = nlohmann::json;

// False: an entry is none.
bool take(const Json &document, const char *list, const char *key,
          std::set<std::string, std::less<>> &into) {
  const auto entries = document.find(list);
  if (entries == document.end() || !entries->is_array())
    return false;
  for (const Json &entry : *entries) {
    if (!entry.is_object())
      return false;
    const auto value = entry.find(key);
    if (value == entry.end() || !value->is_string())
      return false;
    into.insert(value->get<std::string>());
  }
  return true;
}

} // namespace

Result<Baseline> parse_baseline(std::string_view json) {
  const Json document = Json::parse(json, nullptr, false);
  if (!document.is_object() || document.value("tool", Json()) != "culprit" ||
      document.value("command", Json()) != "triage")
    return fail("not a report of culprit triage", "make one with `culprit triage --json FILE`");
  Baseline baseline;
  if (!take(document, "groups", "id", baseline.groups) ||
      !take(document, "unresolved", "digest", baseline.unresolved))
    return fail("a damaged report of culprit triage", "make one with `culprit triage --json FILE`");
  return baseline;
}

Result<Baseline> read_baseline(const std::filesystem::path &file) {
  auto bytes = build::FileBytes::map(file);
  if (!bytes)
    return std::unexpected(bytes.error());
  auto baseline = parse_baseline(bytes->view());
  if (!baseline)
    return fail(fmt::format("{}: {}", file.string(), baseline.error().what), baseline.error().hint);
  return baseline;
}

} // namespace culprit::triage
