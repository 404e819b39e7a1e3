// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text is a baseline, a suppression file, or an error; what was read can be used, and any saved
// report can be told as SARIF, as JUnit and as suppressions, which can be read again.
#include "report/junit.h"
#include "report/sarif.h"
#include "report/settle.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace culprit::report;
using Json = nlohmann::ordered_json;

namespace {

void tell(const Json &document, const std::vector<Suppression> &suppressions,
          const std::optional<Baseline> &baseline) {
  try {
    Json settled = document;
    settle(settled, {.baseline = baseline,
                     .baseline_file = "b",
                     .suppressions = suppressions,
                     .suppression_file = "s"});
    const Reported findings = reported(settled, {});
    (void)sarif(findings, {.source = {}, .root = "/src"})
        .dump(-1, ' ', false, Json::error_handler_t::replace);
    (void)junit(findings, "/src");
    (void)settled_text(settled);
    if (!parse_suppressions(suppressions_for(findings)))
      std::abort();
  } catch (const Json::exception &) {
    return; // none of ours
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  std::optional<Baseline> baseline;
  for (const char *command : {"check", "locate", "triage"})
    if (auto read = parse_baseline(text, command))
      baseline = std::move(*read);
  const auto suppressions = parse_suppressions(text);
  const Json document = Json::parse(text, nullptr, false);
  if (document.is_object())
    tell(document, suppressions.value_or(std::vector<Suppression>()), baseline);
  Reported::Finding finding;
  finding.rule = "access-outlier";
  finding.names = {"f", std::string(text)};
  if (suppressions)
    for (const Suppression &one : *suppressions)
      (void)one.covers(finding);
  return 0;
}
