// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/reported.h"

#include "engine/triage/inputs.h"
#include "report/fields.h"

#include <fmt/format.h>
#include <map>
#include <set>

namespace culprit::report {

namespace {

using Json = nlohmann::ordered_json;

// Findings of one run that have the same fingerprint are told apart by their order in the report.
// Across runs the same one is the same.
void number_twins(Reported &all) {
  for (const Reported::Case &run : all.cases) {
    std::map<std::string, size_t> seen;
    std::set<size_t> numbered;
    for (const size_t position : run.findings) {
      if (!numbered.insert(position).second)
        continue;
      std::string &fingerprint = all.findings[position].fingerprint;
      if (const size_t count = ++seen[fingerprint]; count > 1)
        fingerprint = fingerprint_of({fingerprint, fmt::format("{}", count)});
    }
  }
}

} // namespace

std::string fingerprint_of(const std::vector<std::string> &words) {
  std::string text = "finding\n";
  for (const std::string &word : words)
    text += word + "\n";
  return triage::digest_text(text);
}

bool reports_findings(const Json &document) {
  const std::string command = text_of(document, "command");
  return command == "check" || command == "locate" || command == "triage" || command == "explain";
}

Reported reported(const Json &document, const TextOptions &options) {
  Reported all{.command = text_of(document, "command"),
               .program = text_of(document, "program"),
               .findings = {},
               .cases = {},
               .compared = document.contains("baseline")};
  if (all.command == "check")
    read_check(all, document, options);
  else if (all.command == "locate")
    read_locate(all, document, options);
  else if (all.command == "triage")
    read_triage(all, document, options);
  else if (all.command == "explain")
    read_explain(all, document, options);
  // The ids of triage's groups are unlike by themselves, and each has many inputs.
  if (all.command == "check" || all.command == "locate")
    number_twins(all);
  for (Reported::Finding &finding : all.findings) { // as settle() has left it
    const Json &told = document.at(finding.where);
    finding.known = told.value("known", false);
    finding.suppressed = text_of(told, "suppressed");
  }
  return all;
}

} // namespace culprit::report
