// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/baseline.h"

#include "report/fields.h"
#include "report/reported.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

bool is_check(std::string_view command) { return command == "check"; }

// Null: it has none, or they are none.
const Json *unresolved_of(const Json &document) {
  const auto found = document.find("unresolved");
  if (found == document.end() || !found->is_array())
    return nullptr;
  for (const Json &entry : *found)
    if (!entry.is_object() || !entry.contains("digest") || !entry["digest"].is_string())
      return nullptr;
  return &*found;
}

bool groups_have_ids(const Json &document) {
  const auto found = document.find("groups");
  if (found == document.end() || !found->is_array())
    return false;
  for (const Json &group : *found)
    if (!group.is_object() || !group.contains("id") || !group["id"].is_string())
      return false;
  return true;
}

} // namespace

Result<Baseline> parse_baseline(std::string_view json, std::string_view command) {
  const std::string hint = fmt::format("make one with `culprit {} --json FILE`", command);
  const Json document = Json::parse(json, nullptr, false);
  const bool ours = document.is_object() && document.value("tool", Json()) == Json("culprit") &&
                    reports_findings(document);
  const std::string wrote = ours ? text_of(document, "command") : "";
  if (!ours || is_check(wrote) != is_check(command) || wrote == "explain")
    return fail(fmt::format("not a report of culprit {}{}", command,
                            command == "locate"   ? " or triage"
                            : command == "triage" ? " or locate"
                                                  : ""),
                hint);
  Baseline baseline;
  const Error damaged{fmt::format("a damaged report of culprit {}", wrote), hint};
  try {
    if (wrote == "triage") {
      const Json *unresolved = unresolved_of(document);
      if (unresolved == nullptr || !groups_have_ids(document))
        return std::unexpected(damaged);
      for (const Json &entry : *unresolved)
        baseline.unresolved.insert(entry["digest"].get<std::string>());
    }
    for (const Reported::Finding &finding : reported(document, {}).findings)
      baseline.findings.insert(finding.fingerprint);
  } catch (const Json::exception &) {
    return std::unexpected(damaged);
  }
  return baseline;
}

} // namespace culprit::report
