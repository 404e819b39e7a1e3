// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/junit.h"

#include "report/fields.h"
#include "report/folded_stacks.h"

#include <fmt/format.h>

namespace culprit::report {

namespace {

// XML has no way to write most control characters, so they are made harmless first. A line may end
// inside an element, not inside an attribute.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
    }
  }
  return out;
}

std::string spot_line(const Spot &spot, const std::filesystem::path &base) {
  const std::string place = place_text(spot.location, base);
  const std::string function = function_text(text_of(spot.location, "function"));
  return fmt::format("{}{}{}{}\n", xml(place), function.empty() ? "" : " in " + xml(function),
                     spot.words.empty() ? "" : ": ", xml(spot.words));
}

std::string details(const Reported::Finding &finding, const std::filesystem::path &base) {
  std::string text =
      spot_line({finding.location.is_null() ? nlohmann::ordered_json::object() : finding.location,
                 finding.message},
                base);
  for (const std::string &line : finding.evidence)
    text += "  = " + xml(line) + "\n";
  for (const Spot &spot : finding.related)
    text += "  = " + spot_line(spot, base);
  for (size_t i = 0; i < finding.flow.size(); ++i)
    text += fmt::format("  {} {}", i + 1, spot_line(finding.flow[i], base));
  return text + fmt::format("  = fingerprint {}\n", xml(finding.fingerprint));
}

// Several findings of a case are several elements: readers that know one take the first, which is
// the most confident.
std::string case_text(const Reported &report, const Reported::Case &run,
                      const std::filesystem::path &base) {
  std::string inside;
  std::string told;
  for (const size_t position : run.findings) {
    const Reported::Finding &finding = report.findings[position];
    if (!finding.counts()) {
      told += fmt::format("{}: {}", finding.known ? "known" : "suppressed", details(finding, base));
      continue;
    }
    inside += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                          xml(finding.rule), xml(finding.message), details(finding, base));
  }
  if (!run.unresolved.empty())
    inside +=
        fmt::format("      <error type=\"unresolved\" message=\"{}\"/>\n", xml(run.unresolved));
  if (!run.status.empty())
    told = xml(run.status) + "\n" + told;
  if (!told.empty())
    inside += fmt::format("      <system-out>{}</system-out>\n", told);
  const std::string name = run.label.empty() ? "the run" : run.label;
  return fmt::format("    <testcase classname=\"culprit.{}\" name=\"{}\">\n{}    </testcase>\n",
                     xml(report.command), xml(name), inside);
}

} // namespace

std::string junit(const Reported &report, const std::filesystem::path &base) {
  size_t failed = 0;
  size_t errors = 0;
  std::string cases;
  for (const Reported::Case &run : report.cases) {
    bool fails = false;
    for (const size_t position : run.findings)
      fails |= report.findings[position].counts();
    failed += fails ? 1 : 0;
    errors += !fails && !run.unresolved.empty() ? 1 : 0;
    cases += case_text(report, run, base);
  }
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"",
                                         report.cases.size(), failed, errors);
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuites name=\"culprit {}\" {}>\n"
                     "  <testsuite name=\"{}\" {} skipped=\"0\">\n{}  </testsuite>\n"
                     "</testsuites>\n",
                     xml(report.command), counts, xml(report.program), counts, cases);
}

} // namespace culprit::report
