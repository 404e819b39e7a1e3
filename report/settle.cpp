// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/settle.h"

#include "report/document.h"
#include "report/fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

Json suppressions_document(const Policy &policy) {
  Json list = Json::array();
  for (const Suppression &one : policy.suppressions)
    list.push_back({{"line", one.line}, {"text", one.text}, {"matches", one.matches}});
  return list;
}

} // namespace

size_t settle(Json &document, Policy policy) {
  const Reported all = reported(document, {});
  size_t open = 0;
  size_t known = 0;
  size_t suppressed = 0;
  for (const Reported::Finding &finding : all.findings) {
    Json &told = document.at(finding.where);
    told["fingerprint"] = finding.fingerprint;
    bool counts = true;
    if (policy.baseline) {
      const bool is_known = policy.baseline->findings.contains(finding.fingerprint);
      told["known"] = is_known;
      known += is_known ? 1 : 0;
      counts = !is_known;
    }
    const Suppression *by = nullptr;
    for (Suppression &one : policy.suppressions)
      if (one.covers(finding)) {
        ++one.matches;
        by = by == nullptr ? &one : by;
      }
    if (by != nullptr) {
      told["suppressed"] = by->text;
      suppressed += counts ? 1 : 0;
      counts = false;
    }
    open += counts ? 1 : 0;
  }
  if (policy.baseline) {
    document["baseline"] = policy.baseline_file;
    if (all.command == "triage")
      document["counts"]["new_groups"] = all.findings.size() - known;
  }
  if (policy.baseline || !policy.suppression_file.empty())
    document["settled"] = {{"counting", open}, {"known", known}, {"suppressed", suppressed}};
  if (!policy.suppression_file.empty()) {
    document["settled"]["file"] = policy.suppression_file;
    document["settled"]["suppressions"] = suppressions_document(policy);
  }
  return open;
}

std::string settled_text(const Json &document) {
  const Json *settled = object_of(document, "settled");
  if (settled == nullptr)
    return {};
  const uint64_t known = count_of(*settled, "known");
  const uint64_t suppressed = count_of(*settled, "suppressed");
  const std::string file = text_of(*settled, "file");
  std::string text;
  if (known != 0)
    text +=
        fmt::format("{} known to {}\n", counted(known, "finding"), text_of(document, "baseline"));
  if (suppressed != 0)
    text += fmt::format("{} suppressed by {}\n", counted(suppressed, "finding"), file);
  for (const Json &one : list_of(*settled, "suppressions"))
    if (count_of(one, "matches") == 0)
      text += fmt::format("{}:{}: unused suppression: {}\n", file, count_of(one, "line"),
                          text_of(one, "text"));
  return text;
}

} // namespace culprit::report
